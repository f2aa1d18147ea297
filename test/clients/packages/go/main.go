// What every client does, in Go: prints one JSON object, which is the same in all languages.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"

	breakwater "github.com/breakwater/breakwater/clients/go"
)

type webhookCase struct {
	Name    string
	Body    string
	Headers map[string]string
	Secrets []string
}

var (
	ctx  = context.Background()
	key  = os.Getenv("API_KEY")
	bank = must(breakwater.New(os.Getenv("URL"), key))
	said = map[string]any{}
)

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func through(fault string) *breakwater.Client {
	return must(breakwater.New(os.Getenv("FAULTS")+"/"+fault+"-go", key))
}

func refusal(err error) (*breakwater.Error, []any) {
	var refused *breakwater.Error
	if !errors.As(err, &refused) {
		panic(fmt.Sprint("It was not refused: ", err))
	}
	shown := fmt.Sprintf("%v %+v %#v %v %+v %#v", refused, *refused, refused, bank, *bank, bank)
	return refused, []any{refused.Code, refused.Status, refused.Retryable, !strings.Contains(shown, key)}
}

func main() {
	var cases struct {
		StartDate string `json:"start_date"`
		Webhooks  []webhookCase
	}
	if err := json.Unmarshal(must(os.ReadFile(os.Getenv("CASES"))), &cases); err != nil {
		panic(err)
	}
	customer := must(bank.Customers.Create(ctx, breakwater.CreateCustomerRequest{
		FirstName: "Ada", LastName: "Obi", Email: "ada@example.com", PhoneNumber: "+234 800 555 0100",
		Address: "1 Marina Road", Metadata: map[string]string{"amount": "5", "branch": "12"},
	}))
	said["metadata"] = customer.Metadata
	newAccount := func() string {
		return must(bank.Accounts.Open(ctx, breakwater.OpenAccountRequest{CustomerID: customer.CustomerID})).AccountNumber
	}
	credit := func(account string, amount breakwater.Amount) string {
		must(bank.Accounts.Credit(ctx, account, breakwater.CreditAccountRequest{Amount: amount}))
		return must(bank.Accounts.Get(ctx, account)).Balance.String()
	}
	largest := newAccount()
	said["smallest"] = credit(largest, breakwater.Minor(1))
	said["largest"] = credit(largest, must(breakwater.ParseAmount("9999999999999.98")))
	account := newAccount()
	credit(account, must(breakwater.ParseAmount("20000000")))

	tenor, rate := int64(365), breakwater.Decimal("12.3456")
	open := func(amount string) *breakwater.FixedDeposit {
		return must(bank.FixedDeposits.Open(ctx, breakwater.OpenFixedDepositRequest{
			AccountNumber: account, Amount: must(breakwater.ParseAmount(amount)), Tenor: &tenor, InterestRate: &rate,
			StartDate: &cases.StartDate,
		}))
	}
	deposit := open("12345678.91")
	said["opened"] = []any{deposit.Principal.String(), string(deposit.InterestRate)}
	full := breakwater.LiquidationTypeFull
	quote := must(bank.FixedDeposits.QuoteLiquidation(ctx, deposit.DepositID, breakwater.QuoteLiquidationRequest{LiquidationType: full}))
	var elapsed int64 = quote.Explanation.ElapsedDays
	said["quoted"] = []any{quote.InterestPaid.String(), quote.PenalCharge.String(), quote.NetCredited.String(), map[bool]string{true: "number"}[elapsed > 0]}
	body := breakwater.LiquidateFixedDepositRequest{LiquidationType: full, ExpectedNetCredited: &quote.NetCredited}
	order := breakwater.WithIdempotencyKey("order-go-" + deposit.DepositID)
	var first, second breakwater.Response
	paid := must(bank.FixedDeposits.Liquidate(ctx, deposit.DepositID, body, order, breakwater.WithResponse(&first)))
	again := must(bank.FixedDeposits.Liquidate(ctx, deposit.DepositID, body, order, breakwater.WithResponse(&second)))
	said["paid"] = []any{paid.PrincipalReturned.String(), paid.InterestPaid.String(), paid.PenalCharge.String(), paid.TotalCredited.String()}
	said["replayed"] = []any{first.Replayed, second.Replayed, again.LiquidationID == paid.LiquidationID}
	said["requestId"] = regexp.MustCompile(`^req_\w{24}$`).MatchString(first.RequestID)

	sheet := must(bank.Products.GetRateSheet(ctx, "TERM", 2))
	said["sheet"] = []any{sheet.Number, fmt.Sprint(sheet.Rates[0][0])}
	batch := must(bank.Batches.CreateBatch(ctx, breakwater.CreateBatchRequest{Operation: "creditAccount"}))
	lines := ""
	for _, amount := range []string{"0.10", "0.20"} {
		lines += fmt.Sprintf(`{"account_number":"%s","amount":%s,"external_id":"go-%s"}`+"\n", largest, amount, amount)
	}
	part := must(bank.Batches.SendBatchPart(ctx, batch.BatchID, 1, []byte(lines)))
	said["part"] = []any{part.Parts, part.Lines, fmt.Sprint(part.TotalAmount)}

	_, err := bank.FixedDeposits.Liquidate(ctx, deposit.DepositID, breakwater.LiquidateFixedDepositRequest{LiquidationType: full})
	_, said["refused"] = refusal(err)
	partial := breakwater.LiquidateFixedDepositRequest{LiquidationType: breakwater.LiquidationTypePartial}
	_, err = bank.FixedDeposits.Liquidate(ctx, deposit.DepositID, partial)
	invalid, _ := refusal(err)
	said["fields"] = []any{[]any{invalid.Fields[0].Field, invalid.Fields[0].Code}}

	many := breakwater.ListFixedDepositsQuery{AccountNumber: os.Getenv("ACCOUNT"), Limit: 100}
	found, count := map[string]bool{}, 0
	for one, err := range bank.FixedDeposits.List(many).All(ctx) {
		found[must(one, err).DepositID] = true
		count++
	}
	many.Limit = 7
	page := must(bank.FixedDeposits.List(many).Page(ctx, ""))
	said["pages"] = []any{count, len(found), len(page.Data), page.HasMore}

	amount := must(breakwater.ParseAmount("100.10"))
	partial.Amount = &amount
	for _, fault := range []string{"cut", "torn", "unknown", "busy"} {
		opened := open("5000.00").DepositID
		made := must(through(fault).FixedDeposits.Liquidate(ctx, opened, partial))
		count := 0
		for one, err := range bank.FixedDeposits.ListLiquidations(opened, breakwater.ListLiquidationsQuery{}).All(ctx) {
			if must(one, err).PrincipalReturned == amount {
				count++
			}
		}
		said[fault] = []any{made.PrincipalReturned.String(), made.RemainingPrincipal.String(), count}
	}
	for _, fault := range []string{"never", "long", "moved"} {
		_, err := through(fault).Customers.Update(ctx, customer.CustomerID, breakwater.UpdateCustomerRequest{})
		_, said[fault] = refusal(err)
	}
	_, err = must(breakwater.New("http://127.0.0.1:1", key, breakwater.WithRetries(0))).TestClock.Get(ctx)
	_, said["unreachable"] = refusal(err)

	held := open("2000000.00").DepositID
	_, err = bank.FixedDeposits.Liquidate(ctx, held, breakwater.LiquidateFixedDepositRequest{LiquidationType: full})
	waits, shown := refusal(err)
	approval := must(waits.RequestApproval(ctx, "Please"))
	same := must(waits.RequestApproval(ctx, "Please"))
	said["approval"] = []any{shown[0], approval.Operation, approval.Status, approval.Note, same.ApprovalID == approval.ApprovalID}
	said["approvalTarget"] = *approval.TargetID == held

	webhooks := []any{}
	for _, one := range cases.Webhooks {
		headers := http.Header{}
		for name, value := range one.Headers {
			headers.Set(name, value)
		}
		outcome := "rejected"
		if event, err := breakwater.VerifyWebhook([]byte(one.Body), headers, one.Secrets...); err == nil {
			var data breakwater.Liquidation
			if err := json.Unmarshal(event.Data, &data); err != nil {
				panic(err)
			}
			outcome = data.TotalCredited.String()
		}
		webhooks = append(webhooks, []any{one.Name, outcome})
	}
	said["webhooks"] = webhooks
	_, err = breakwater.New("http://bank.example.com", key)
	said["plain"] = err != nil
	_, err = breakwater.New(os.Getenv("URL"), key+"\n")
	if err != nil && !strings.Contains(err.Error(), key) {
		said["lineEnd"] = "refused, and not shown"
	}
	fmt.Println(string(must(json.Marshal(said))))
}
