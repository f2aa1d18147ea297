// Opens, quotes, breaks and reads deposits with the client that oapi-codegen generated. The arguments are amount, start
// date and tenor of each deposit; what the client saw is printed as one line of JSON each.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"

	"breakwater.example/clients/api"
	openapi_types "github.com/oapi-codegen/runtime/types"
)

func main() {
	ctx := context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
		return nil
	}
	client := must(api.NewClientWithResponses(os.Getenv("URL"), api.WithRequestEditorFn(authorize)))

	customer := must(client.CreateCustomerWithResponse(ctx, nil, api.CreateCustomerRequest{
		FirstName: "Ada", LastName: "Obi", Email: "ada@example.com",
		PhoneNumber: "+234 801 234 5678", Address: "12 Marina Road, Lagos",
	})).JSON201.Data

	for terms := os.Args[1:]; len(terms) > 0; terms = terms[3:] {
		amount := must(strconv.ParseFloat(terms[0], 64))
		start := openapi_types.Date{Time: must(time.Parse(time.DateOnly, terms[1]))}
		tenor := must(strconv.Atoi(terms[2]))
		account := must(client.OpenAccountWithResponse(ctx, nil, api.OpenAccountRequest{
			CustomerId: customer.CustomerId,
		})).JSON201.Data
		must(client.CreditAccountWithResponse(ctx, account.AccountNumber, nil, api.CreditAccountRequest{
			Amount: amount,
		}))
		credited := must(client.GetAccountWithResponse(ctx, account.AccountNumber)).JSON200.Data
		rate := 12.3456
		opened := must(client.OpenFixedDepositWithResponse(ctx, nil, api.OpenFixedDepositRequest{
			AccountNumber: account.AccountNumber, Amount: amount, Tenor: &tenor, InterestRate: &rate, StartDate: &start,
		})).JSON201.Data
		quote := must(client.QuoteLiquidationWithResponse(ctx, opened.DepositId, nil, api.QuoteLiquidationRequest{
			LiquidationType: api.LiquidationTypeFull, Amount: &amount,
		})).JSON200.Data
		whole := api.LiquidateFixedDepositRequest{LiquidationType: api.LiquidationTypeFull, Amount: &amount}
		broken := must(client.LiquidateFixedDepositWithResponse(ctx, opened.DepositId, nil, whole)).JSON200.Data
		again := must(client.LiquidateFixedDepositWithResponse(ctx, opened.DepositId, nil, whole)).JSON409
		deposit := must(client.GetFixedDepositWithResponse(ctx, opened.DepositId)).JSON200.Data
		liquidation := must(client.GetLiquidationWithResponse(ctx, broken.LiquidationId)).JSON200.Data
		after := must(client.GetAccountWithResponse(ctx, account.AccountNumber)).JSON200.Data

		seen := map[string]string{
			"deposit_id":     opened.DepositId,
			"liquidation_id": broken.LiquidationId,
			"credited":       money(credited.Balance),
			"opened":         money(opened.Principal),
			"rate":           strconv.FormatFloat(opened.InterestRate, 'f', -1, 64),
			"quoted":         money(quote.TotalCredited),
			"broken":         money(broken.TotalCredited),
			"principal":      money(deposit.Principal),
			"returned":       money(liquidation.PrincipalReturned),
			"interest":       money(liquidation.InterestPaid),
			"balance":        money(after.Balance),
			"status":         string(deposit.Status),
			"refused":        string(again.Error.Code),
		}
		fmt.Println(string(must(json.Marshal(seen))))
	}
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func money(amount float64) string {
	return strconv.FormatFloat(amount, 'f', 2, 64)
}
