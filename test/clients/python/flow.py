"""Login, accounts, transfer, cash-in and cash-out by the client that openapi-python-client makes."""

import os
import sys
import uuid

sys.path.insert(0, "generated")

from partner_payments_service_client import AuthenticatedClient, Client  # noqa: E402
from partner_payments_service_client.api.accounts import list_accounts  # noqa: E402
from partner_payments_service_client.api.auth import log_in  # noqa: E402
from partner_payments_service_client.api.pix import request_cash_in, request_cash_out  # noqa: E402
from partner_payments_service_client.api.transactions import get_transaction  # noqa: E402
from partner_payments_service_client.api.transfers import request_transfer  # noqa: E402
from partner_payments_service_client.models import (  # noqa: E402
    CashInOrderDto,
    CashInPaymentDto,
    CashInValueDto,
    CashOutPaymentDto,
    LoginDto,
    OrderDto,
    PixKeyDto,
    PixKeyDtoType,
    RecipientDto,
    RequestCashInDto,
    RequestCashOutDto,
    RequestTransferDto,
    WebhookDto,
)

BASE_URL = os.environ["BASE_URL"]
HOOK = WebhookDto(url="http://127.0.0.1:8081/hook")


def key() -> str:
    return str(uuid.uuid4())


login = log_in.sync(
    client=Client(base_url=BASE_URL), body=LoginDto(access_key=os.environ["ACCESS_KEY"], secret=os.environ["SECRET"])
)
client = AuthenticatedClient(base_url=BASE_URL, token=login.data.token)

accounts = list_accounts.sync(client=client).data.items
transfer = request_transfer.sync(
    client=client,
    idempotency_key=key(),
    body=RequestTransferDto(ref_account_credit=str(accounts[-1].uid), transfer_amount="10.00"),
)
charge = request_cash_in.sync(
    client=client,
    idempotency_key=key(),
    body=RequestCashInDto(
        payment=CashInPaymentDto(value=CashInValueDto(original="12.34")),
        transaction=CashInOrderDto(order_id=key()),
        webhook=HOOK,
    ),
)
payout = request_cash_out.sync(
    client=client,
    idempotency_key=key(),
    body=RequestCashOutDto(
        payment=CashOutPaymentDto(
            value="25.00",
            key=PixKeyDto(type_=PixKeyDtoType.EMAIL, value="ana@example.com"),
            recipient=RecipientDto(name="Ana Lima", cpf="52998224725"),
        ),
        transaction=OrderDto(order_id=key()),
        webhook=HOOK,
    ),
)
assert transfer.status_code == "Done", transfer
assert charge.status_code == "Incomplete", charge
assert charge.data.payment.qr_code.startswith("000201"), charge
assert payout.status_code == "Incomplete", payout
read = get_transaction.sync(client=client, id=payout.data.transaction.id).data.transaction
assert (read.id, read.amount) == (payout.data.transaction.id, "25.00"), read
print("flow: login, accounts, transfer, cash-in, cash-out")
