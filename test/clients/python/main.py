"""Opens, quotes, breaks and reads deposits with the client that openapi-python-client generated. The arguments are amount,
start date and tenor of each deposit; what the client saw is printed as one line of JSON each."""

import datetime
import json
import os
import sys

from breakwater_client import AuthenticatedClient, models
from breakwater_client.api.accounts import credit_account, get_account, open_account
from breakwater_client.api.customers import create_customer
from breakwater_client.api.fixed_deposits import get_fixed_deposit, open_fixed_deposit
from breakwater_client.api.liquidations import get_liquidation, liquidate_fixed_deposit, quote_liquidation

client = AuthenticatedClient(base_url=os.environ["URL"], token=os.environ["API_KEY"])


def money(amount: float) -> str:
    return f"{amount:.2f}"


customer = create_customer.sync(
    client=client,
    body=models.CreateCustomerRequest(
        first_name="Ada",
        last_name="Obi",
        email="ada@example.com",
        phone_number="+234 801 234 5678",
        address="12 Marina Road, Lagos",
    ),
).data

terms = sys.argv[1:]
for amount_text, start_text, tenor_text in zip(terms[::3], terms[1::3], terms[2::3]):
    amount = float(amount_text)
    account = open_account.sync(
        client=client, body=models.OpenAccountRequest(customer_id=customer.customer_id)
    ).data
    credit_account.sync(
        account.account_number, client=client, body=models.CreditAccountRequest(amount=amount)
    )
    credited = get_account.sync(account.account_number, client=client).data
    opened = open_fixed_deposit.sync(
        client=client,
        body=models.OpenFixedDepositRequest(
            account_number=account.account_number,
            amount=amount,
            tenor=int(tenor_text),
            interest_rate=12.3456,
            start_date=datetime.date.fromisoformat(start_text),
        ),
    ).data
    whole = {"liquidation_type": models.LiquidationType.FULL, "amount": amount}
    quote = quote_liquidation.sync(
        opened.deposit_id, client=client, body=models.QuoteLiquidationRequest(**whole)
    ).data
    body = models.LiquidateFixedDepositRequest(**whole)
    broken = liquidate_fixed_deposit.sync(opened.deposit_id, client=client, body=body).data
    again = liquidate_fixed_deposit.sync(opened.deposit_id, client=client, body=body)
    deposit = get_fixed_deposit.sync(opened.deposit_id, client=client).data
    liquidation = get_liquidation.sync(broken.liquidation_id, client=client).data
    after = get_account.sync(account.account_number, client=client).data
    seen = {
        "deposit_id": opened.deposit_id,
        "liquidation_id": broken.liquidation_id,
        "credited": money(credited.balance),
        "opened": money(opened.principal),
        "rate": str(opened.interest_rate),
        "quoted": money(quote.total_credited),
        "broken": money(broken.total_credited),
        "principal": money(deposit.principal),
        "returned": money(liquidation.principal_returned),
        "interest": money(liquidation.interest_paid),
        "balance": money(after.balance),
        "status": deposit.status.value,
        "refused": again.error.code.value,
    }
    print(json.dumps(seen))
