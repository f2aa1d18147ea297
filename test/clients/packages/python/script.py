"""What every client does, in Python: prints one JSON object, which is the same in all languages."""

import json
import os
import re
import traceback
from decimal import Decimal

from breakwater import Breakwater, BreakwaterError, WebhookError, minor, verify_webhook

url, faults, key = os.environ["URL"], os.environ["FAULTS"], os.environ["API_KEY"]
account_of_many = os.environ["ACCOUNT"]
with open(os.environ["CASES"], encoding="utf-8") as file:
    cases = json.load(file)
bank = Breakwater(url, key)
said = {}


def through(fault):
    return Breakwater(f"{faults}/{fault}-python", key)


customer = bank.customers.create(
    {
        "first_name": "Ada",
        "last_name": "Obi",
        "email": "ada@example.com",
        "phone_number": "+234 800 555 0100",
        "address": "1 Marina Road",
        "metadata": {"amount": "5", "branch": "12"},
    }
)
said["metadata"] = customer["metadata"]
full = bank.accounts.open({"customer_id": customer["customer_id"]})["account_number"]
bank.accounts.credit(full, {"amount": minor(1)})
said["smallest"] = str(bank.accounts.get(full)["balance"])
bank.accounts.credit(full, {"amount": Decimal("9999999999999.98")})
said["largest"] = str(bank.accounts.get(full)["balance"])
account = bank.accounts.open({"customer_id": customer["customer_id"]})["account_number"]
bank.accounts.credit(account, {"amount": "20000000"})


def open_deposit(amount):
    terms = {"tenor": 365, "interest_rate": "12.3456", "start_date": cases["start_date"]}
    return bank.fixed_deposits.open({"account_number": account, "amount": amount, **terms})


deposit = open_deposit("12345678.91")
deposit_id = deposit["deposit_id"]
said["opened"] = [str(deposit["principal"]), str(deposit["interest_rate"])]
quote = bank.fixed_deposits.quote_liquidation(deposit_id, {"liquidation_type": "FULL"})
elapsed = quote["explanation"]["elapsed_days"]
figures = [str(quote[name]) for name in ("interest_paid", "penal_charge", "net_credited")]
said["quoted"] = [*figures, "number" if type(elapsed) is int else "other"]
body = {"liquidation_type": "FULL", "expected_net_credited": quote["net_credited"]}
order = f"order-python-{deposit_id}"
paid = bank.call("liquidateFixedDeposit", deposit_id, body=body, idempotency_key=order)
again = bank.call("liquidateFixedDeposit", deposit_id, body=body, idempotency_key=order)
members = ("principal_returned", "interest_paid", "penal_charge", "total_credited")
said["paid"] = [str(paid.data[name]) for name in members]
said["replayed"] = [paid.replayed, again.replayed, again.data["liquidation_id"] == paid.data["liquidation_id"]]
said["requestId"] = re.fullmatch(r"req_\w{24}", paid.request_id) is not None

sheet = bank.products.get_rate_sheet("TERM", 2)
said["sheet"] = [sheet["number"], str(sheet["rates"][0][0])]
batch_id = bank.batches.create_batch({"operation": "creditAccount"})["batch_id"]
lines = [
    f'{{"account_number":"{full}","amount":{amount},"external_id":"python-{amount}"}}\n' for amount in ("0.10", "0.20")
]
part = bank.batches.send_batch_part(batch_id, 1, "".join(lines))
said["part"] = [part["parts"], part["lines"], str(part["total_amount"])]


def refusal(call):
    try:
        call()
    except BreakwaterError as error:
        shown = "".join([repr(error), repr(vars(error)), repr(bank), repr(vars(bank)), traceback.format_exc()])
        return error, [error.code, error.status, error.retryable, key not in shown]
    raise AssertionError("It was not refused.")


said["refused"] = refusal(lambda: bank.fixed_deposits.liquidate(deposit_id, {"liquidation_type": "FULL"}))[1]
invalid, _ = refusal(lambda: bank.fixed_deposits.liquidate(deposit_id, {"liquidation_type": "PARTIAL"}))
said["fields"] = [[one["field"], one["code"]] for one in invalid.fields]

found = [one["deposit_id"] for one in bank.fixed_deposits.list(account_number=account_of_many, limit=100)]
page = bank.fixed_deposits.list(account_number=account_of_many, limit=7).page()
said["pages"] = [len(found), len(set(found)), len(page.data), page.has_more]

part = {"liquidation_type": "PARTIAL", "amount": "100.10"}
for fault in ("cut", "torn", "unknown", "busy"):
    opened = open_deposit("5000.00")["deposit_id"]
    made = through(fault).fixed_deposits.liquidate(opened, part)
    count = sum(one["principal_returned"] == Decimal("100.10") for one in bank.fixed_deposits.list_liquidations(opened))
    said[fault] = [str(made["principal_returned"]), str(made["remaining_principal"]), count]
for fault in ("never", "long", "moved"):
    said[fault] = refusal(lambda: through(fault).customers.update(customer["customer_id"], {}))[1]
said["unreachable"] = refusal(lambda: Breakwater("http://127.0.0.1:1", key, retries=0).test_clock.get())[1]

held = open_deposit("2000000.00")["deposit_id"]
waits, shown = refusal(lambda: bank.fixed_deposits.liquidate(held, {"liquidation_type": "FULL"}))
approval = waits.request_approval("Please")
same = waits.request_approval("Please")
is_same = same["approval_id"] == approval["approval_id"]
said["approval"] = [shown[0], approval["operation"], approval["status"], approval["note"], is_same]
said["approvalTarget"] = approval["target_id"] == held

said["webhooks"] = []
for case in cases["webhooks"]:
    try:
        event = verify_webhook(case["body"].encode(), case["headers"], case["secrets"])
        outcome = str(event["data"]["total_credited"])
    except WebhookError:
        outcome = "rejected"
    said["webhooks"].append([case["name"], outcome])
try:
    Breakwater("http://bank.example.com", key)
except ValueError:
    said["plain"] = True
try:
    Breakwater(url, f"{key}\n")
except ValueError as error:
    if key not in repr(error):
        said["lineEnd"] = "refused, and not shown"
for wrong in (5.0, 5):
    try:
        bank.accounts.credit(account, {"amount": wrong})
        raise AssertionError("A float was sent.")
    except TypeError:
        pass
print(json.dumps(said))
