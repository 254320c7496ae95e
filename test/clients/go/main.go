// Login, accounts, transfer, cash-in and cash-out by the client that oapi-codegen makes.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"

	"github.com/google/uuid"
)

func main() {
	ctx := context.Background()
	var token string
	client, err := NewClientWithResponses(os.Getenv("BASE_URL"), WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			if token != "" {
				request.Header.Set("Authorization", "Bearer "+token)
			}
			return nil
		}))
	must(err, true, nil)

	login, err := client.LogInWithResponse(ctx, LoginDto{AccessKey: os.Getenv("ACCESS_KEY"), Secret: os.Getenv("SECRET")})
	must(err, login.JSON200 != nil, login.Body)
	token = login.JSON200.Data.Token

	accounts, err := client.ListAccountsWithResponse(ctx, nil)
	must(err, accounts.JSON200 != nil, accounts.Body)
	items := accounts.JSON200.Data.Items

	transfer, err := client.RequestTransferWithResponse(ctx, &RequestTransferParams{IdempotencyKey: key()},
		RequestTransferDto{RefAccountCredit: fmt.Sprint(items[len(items)-1].Uid), TransferAmount: "10.00"})
	must(err, transfer.JSON201 != nil, transfer.Body)

	name, hook := "Ana Lima", WebhookDto{Url: "http://127.0.0.1:8081/hook"}
	charge, err := client.RequestCashInWithResponse(ctx, &RequestCashInParams{IdempotencyKey: key()}, RequestCashInDto{
		Payment:     CashInPaymentDto{Value: CashInValueDto{Original: "12.34"}},
		Transaction: CashInOrderDto{OrderId: *key()},
		Webhook:     hook,
	})
	must(err, charge.JSON201 != nil && strings.HasPrefix(charge.JSON201.Data.Payment.QrCode, "000201"), charge.Body)

	payout, err := client.RequestCashOutWithResponse(ctx, &RequestCashOutParams{IdempotencyKey: key()}, RequestCashOutDto{
		Payment: CashOutPaymentDto{
			Value:     "25.00",
			Key:       &PixKeyDto{Type: "EMAIL", Value: "ana@example.com"},
			Recipient: RecipientDto{Name: &name, Cpf: "52998224725"},
		},
		Transaction: OrderDto{OrderId: *key()},
		Webhook:     hook,
	})
	must(err, payout.JSON201 != nil, payout.Body)

	id := payout.JSON201.Data.Transaction.Id
	read, err := client.GetTransactionWithResponse(ctx, id.String())
	must(err, read.JSON200 != nil && read.JSON200.Data.Transaction.Amount == "25.00", read.Body)
	fmt.Println("flow: login, accounts, transfer, cash-in, cash-out")
}

func key() *string {
	text := uuid.NewString()
	return &text
}

func must(err error, holds bool, body []byte) {
	if err != nil || !holds {
		log.Fatal(err, string(body))
	}
}
