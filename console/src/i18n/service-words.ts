import { language } from './index.js';

type Words = Readonly<Record<string, readonly [english: string, portuguese: string]>>;

/** Reasons of the rail (ISO 20022, BCB "Catálogo de erros") and of the service. */
const REASONS: Words = {
  AB03: ['the time for settling it ran out', 'o prazo de liquidação terminou'],
  AB09: ['the receiving bank had a fault', 'falha no banco recebedor'],
  AC03: ['the account does not exist', 'conta inexistente'],
  AC06: ['the account is blocked', 'conta bloqueada'],
  AC07: ['the account is closed', 'conta encerrada'],
  AC14: ['the type of account is wrong', 'tipo de conta incorreto'],
  AG03: ['this kind of payment is not accepted', 'tipo de transação não aceito'],
  AM02: ['the amount is not allowed', 'valor não permitido'],
  AM09: ['the amount does not fit', 'valor incorreto'],
  BE01: ['the tax number does not match the account', 'o CPF ou CNPJ não é da conta'],
  BE08: ['returned after an error of the bank', 'devolvido por erro do banco'],
  DS04: ['the receiving bank refused it', 'recusado pelo banco recebedor'],
  MD06: ['asked for by the receiver', 'solicitado pelo recebedor'],
  RR04: ['refused by a rule', 'recusado por norma'],
  SL02: ['returned by the receiver', 'devolvido pelo recebedor'],
  AccountIsNotActive: ['the account is not active', 'a conta não está ativa'],
  AmountMismatch: ['another amount was paid', 'foi pago outro valor'],
  BalanceLimitExceeded: ['the account cannot hold more', 'a conta não comporta mais'],
  CancelledByPartner: ['cancelled by the partner', 'cancelado pelo parceiro'],
  Expired: ['it was not paid in time', 'não foi pago no prazo'],
  KeyNotFound: ['the Pix key does not exist', 'a chave Pix não existe'],
  PayerAccountMismatch: ['paid from another account', 'pago por outra conta'],
  PayerTaxNumberMismatch: ['paid by somebody else', 'pago por outra pessoa'],
  RecipientForgotten: ["the recipient's personal data was erased", 'os dados do recebedor foram apagados'],
};

/** Types of events in the log, and kinds of statement lines. */
export const EVENTS: Words = {
  AccessKeyIssued: ['Access key issued', 'Chave de acesso emitida'],
  AccessKeyDisabled: ['Access key disabled', 'Chave de acesso suspensa'],
  AccessKeyEnabled: ['Access key enabled', 'Chave de acesso reativada'],
  AccessKeyRevoked: ['Access key revoked', 'Chave de acesso revogada'],
  AccessKeySecretBound: ['Access key bound to its owner', 'Chave de acesso vinculada ao dono'],
  AccountActivated: ['Account activated', 'Conta ativada'],
  AccountCredited: ['Account funded', 'Conta creditada'],
  AccountDeactivated: ['Account deactivated', 'Conta desativada'],
  AccountOpened: ['Account opened', 'Conta aberta'],
  AccountWebhookRemoved: ['Address of notifications removed', 'Endereço de avisos removido'],
  AccountWebhookSet: ['Address of notifications registered', 'Endereço de avisos cadastrado'],
  AuditorCredentialBound: ['Auditor bound to its credential', 'Credencial vinculada ao auditor'],
  AuditorRegistered: ['Auditor registered', 'Auditor cadastrado'],
  AuditorRevoked: ['Auditor revoked', 'Auditor revogado'],
  CashInCancelled: ['Deposit cancelled', 'Depósito cancelado'],
  CashInCompleted: ['Deposit paid', 'Depósito pago'],
  CashInErrored: ['Deposit failed', 'Depósito com erro'],
  CashInPaymentReturned: ['Payment returned', 'Pagamento devolvido ao pagador'],
  CashInRegistered: ['Deposit created', 'Depósito criado'],
  CashInReversed: ['Deposit reversed', 'Depósito estornado'],
  CashOutCompleted: ['Payment settled', 'Pix enviado e liquidado'],
  CashOutErrored: ['Payment failed', 'Pix enviado com erro'],
  CashOutKeyResolved: ['Pix key looked up', 'Chave Pix consultada'],
  CashInTold: ['Payer or fee reported', 'Pagador ou tarifa informados'],
  CashOutTold: ['Reason or fee reported', 'Motivo ou tarifa informados'],
  CashOutNamed: ['EndToEndId reported', 'EndToEndId informado'],
  CashOutRegistered: ['Payment ordered', 'Pix ordenado'],
  CashOutReversed: ['Payment reversed', 'Pix devolvido pelo banco'],
  HoldDrawn: ['Blocked money on its way out', 'Valor bloqueado em devolução'],
  HoldExecuted: ['Blocked money paid out', 'Valor bloqueado transferido'],
  HoldFilled: ['Credit blocked by a hold', 'Crédito bloqueado'],
  HoldPlaced: ['Money blocked by a hold', 'Valor bloqueado'],
  HoldReleased: ['Blocked money released', 'Valor desbloqueado'],
  HoldRestored: ['Money blocked again', 'Valor bloqueado novamente'],
  InfractionAgreed: ['Report agreed with', 'Infração aceita'],
  InfractionAnswered: ['Rail was told', 'Pix informado'],
  InfractionCancelled: ['Report taken back', 'Infração cancelada'],
  InfractionClosed: ['Report closed', 'Infração encerrada'],
  InfractionDefended: ['Deposit defended', 'Defesa apresentada'],
  InfractionOverdue: ['Analysis overdue', 'Análise em atraso'],
  InfractionRejected: ['Report rejected', 'Infração rejeitada'],
  InfractionReported: ['Deposit reported as fraud', 'Infração notificada'],
  MedReturnCompleted: ['Money returned (MED)', 'Valor devolvido (MED)'],
  MedReturnErrored: ['Return refused (MED)', 'Devolução recusada (MED)'],
  MedReturnRegistered: ['Return begun (MED)', 'Devolução iniciada (MED)'],
  CautionaryRuleAdded: ['Cautionary rule added', 'Regra de bloqueio cautelar criada'],
  CautionaryRuleRemoved: ['Cautionary rule removed', 'Regra de bloqueio cautelar removida'],
  PartnerRegistered: ['Partner registered', 'Parceiro cadastrado'],
  PartnerSettingsChanged: ['Limits changed', 'Limites alterados'],
  PayoutFileAccepted: ['Payout file accepted', 'Arquivo de pagamentos aceito'],
  PayoutFileCancelled: ['Payout file cancelled', 'Arquivo de pagamentos cancelado'],
  PayoutFileCompleted: ['Payout file ended', 'Arquivo de pagamentos encerrado'],
  PayoutFileLinesRun: ['Lines of a payout file requested', 'Linhas de arquivo de pagamentos solicitadas'],
  PayoutLimitsChanged: ['Payout limits changed', 'Limites de pagamento alterados'],
  PaymentReturnRefused: ['Payment return refused', 'Devolução ao pagador recusada'],
  PaymentReturnSettled: ['Payment return settled', 'Devolução ao pagador liquidada'],
  RecoveryAccepted: ['Recovery accepted', 'Recuperação aceita'],
  RecoveryOpened: ['Recovery opened', 'Recuperação aberta'],
  RecoveryRefused: ['Recovery refused', 'Recuperação recusada'],
  RecoveryRequested: ['Recovery requested', 'Recuperação pedida'],
  RefundCompleted: ['Refund settled', 'Devolução liquidada'],
  DayReconciled: ['Day reconciled', 'Dia conciliado'],
  ReconciliationCaseOpened: ['Reconciliation case opened', 'Caso de conciliação aberto'],
  ReconciliationCaseClosed: ['Reconciliation case closed', 'Caso de conciliação encerrado'],
  RefundErrored: ['Refund failed', 'Devolução com erro'],
  RefundRegistered: ['Refund ordered', 'Devolução ordenada'],
  SubjectForgotten: ['Personal data erased', 'Dados pessoais apagados'],
  TransferSettled: ['Transfer settled', 'Transferência liquidada'],
  UnmatchedPaymentReceived: ['Unmatched payment received', 'Pagamento sem depósito correspondente'],
  UnmatchedReturnReceived: ['Unmatched return received', 'Devolução sem pagamento correspondente'],
  WebhookRedeliveryRequested: ['Redelivery requested', 'Reenvio solicitado'],
  WebhookSecretRotated: ['Webhook secret rotated', 'Segredo de webhook trocado'],
  WebhookTestRequested: ['Webhook test requested', 'Teste de webhook solicitado'],
};

/** Fields of a payment, by their paths. */
const LABELS: Words = {
  method: ['Method', 'Meio'],
  key: ['Pix key', 'Chave Pix'],
  keyChecked: ['Key compared with the account', 'Chave comparada com a conta'],
  'key.type': ['Type of Pix key', 'Tipo da chave Pix'],
  'key.value': ['Pix key', 'Chave Pix'],
  'payerTold.name': ['Payer, reported by the bank', 'Pagador, segundo o banco'],
  'payerTold.cpf': ["Payer's CPF or CNPJ, reported by the bank", 'CPF ou CNPJ do pagador, segundo o banco'],
  'payerTold.ispb': ["ISPB of the payer's bank, reported by the bank", 'ISPB do banco do pagador, segundo o banco'],
  reasonTold: ['Reason reported after the end', 'Motivo informado após o encerramento'],
  qrCode: ['Copy-and-paste code', 'Pix copia e cola'],
  qrCodeLocation: ['Address of the QR code', 'Endereço do QR code'],
  'recipient.name': ['Recipient', 'Recebedor'],
  'recipient.cpf': ["Recipient's CPF or CNPJ", 'CPF ou CNPJ do recebedor'],
  'recipient.account.ispb': ["ISPB of the recipient's bank", 'ISPB do banco do recebedor'],
  'recipient.account.branch': ["Recipient's branch", 'Agência do recebedor'],
  'recipient.account.number': ["Recipient's account", 'Conta do recebedor'],
  'recipient.account.digit': ["Digit of the recipient's account", 'Dígito da conta do recebedor'],
  'recipient.account.type': ["Type of the recipient's account", 'Tipo da conta do recebedor'],
};

/** Refusals of the service in Portuguese, by reason or else by name. In English its own messages are shown. */
export const ERRORS: Readonly<Record<string, string>> = {
  AccountDigitIsRequired: 'O dígito da conta é obrigatório.',
  AuthenticationError: 'A credencial não é aceita.',
  CashOutNotAvailable: 'Este meio só recebe; não envia Pix.',
  ChargeRefusedByRail: 'O banco recusou a cobrança.',
  KeyAccountCheckNotAvailable: 'Não é possível verificar se a chave pertence à conta.',
  AccountTypeNotAvailable: 'Este meio não paga contas desse tipo.',
  QrCodeKindNotSupported: 'Códigos desse tipo não são pagos aqui.',
  QrCodeKeyInvalid: 'O código não leva a uma chave Pix válida.',
  QrCodeUnreachable: 'A cobrança do código não pôde ser consultada.',
  QrCodeUnknown: 'A cobrança do código não existe.',
  QrCodeSignatureInvalid: 'A assinatura da cobrança não é válida.',
  QrCodePayloadInvalid: 'A cobrança não segue as regras do Pix.',
  QrCodeNotActive: 'A cobrança já foi paga ou foi removida.',
  QrCodeExpired: 'O prazo para pagar a cobrança terminou.',
  QrCodeAmountRequired: 'O código não traz valor: informe o valor.',
  QrCodeAmountMismatch: 'O código traz outro valor.',
  QrCodeRecipientMismatch: 'O código paga outra pessoa.',
  ConflictError: 'Isso já existe ou está em andamento.',
  CustomerAccountIsNotActive: 'A conta não está ativa.',
  CustomerAccountInsufficientFunds: 'O saldo disponível não cobre o valor.',
  DestinationAccountIsNotActive: 'A conta de destino não está ativa.',
  PaymentLimitExceeded: 'O valor passa do limite de um pagamento da conta.',
  PayoutsPerHourExceeded: 'A conta já fez os pagamentos que pode nesta hora.',
  DayLimitExceeded: 'O valor passa do que resta do limite diurno da conta.',
  NightLimitExceeded: 'O valor passa do que resta do limite noturno da conta.',
  MonthLimitExceeded: 'O valor passa do que resta do limite do mês da conta.',
  BalanceLimitExceeded: 'A conta não comporta mais saldo.',
  AmountAboveMaximum: 'O valor está acima do limite.',
  AmountBelowMinimum: 'O valor está abaixo do limite.',
  HoldExceeded: 'O bloqueio não tem tanto valor.',
  HoldIsOfNoDeposit: 'O bloqueio não é de um depósito.',
  RuleWithoutCondition: 'A regra precisa de uma condição.',
  TooManyRules: 'O parceiro já tem regras demais.',
  HoldIsClosed: 'O bloqueio já foi encerrado.',
  RetryTimeNotInFuture: 'O prazo do bloqueio deve estar no futuro.',
  AmountMustBeGreaterThanZero: 'O valor deve ser maior que zero.',
  MinimumAboveMaximum: 'O mínimo está acima do máximo.',
  EntityNotFound: 'Não foi encontrado.',
  ExpectationFailed: 'O servidor não atende a esse "Expect".',
  Forbidden: 'Sem permissão.',
  Gone: 'Isso não está mais disponível.',
  HeadersTooLarge: 'Os cabeçalhos são grandes demais.',
  IdempotencyKeyReuse: 'A chave de idempotência já foi usada em outro pedido.',
  InternalError: 'Falha interna do serviço.',
  InvalidInputError: 'Há dados inválidos.',
  MethodNotAllowed: 'O endereço não aceita esse método.',
  NotUnderThisCheckpoint: 'O evento é posterior ao checkpoint.',
  NothingCovered: 'Nenhum checkpoint assinado cobre isso ainda.',
  OperationError: 'O estado atual não permite isso.',
  OrderIdAlreadyUsed: 'Esse identificador de pedido já foi usado.',
  OutcomeUnknown: 'Não se sabe se foi feito. Repita com a mesma chave de idempotência.',
  PayerCannotBeVerified: 'Este meio não informa quem pagou; não há como exigir um pagador.',
  PayloadTooLarge: 'O corpo passa de 64 KiB.',
  PaymentValueMustBeGreaterThanZero: 'O valor deve ser maior que zero.',
  PaymentValueNotAboveCharge: 'O valor não passa da tarifa.',
  RefundExceedsOriginal: 'A devolução passa do valor restante.',
  RefundPeriodExpired: 'O prazo de 90 dias para devolver terminou.',
  RequestTimeout: 'O pedido não chegou inteiro a tempo.',
  RetentionPeriodRuns: 'O prazo de guarda dos dados ainda corre.',
  RouteNotFound: 'Esse endereço não existe.',
  ServiceUnavailable: 'O serviço está indisponível; nada foi feito.',
  TaxNumberAlreadyRegistered: 'Esse CPF ou CNPJ já está cadastrado.',
  TooManyRequests: 'Tentativas demais. Espere um pouco.',
  TransferAmountMustBeGreaterThanZero: 'O valor deve ser maior que zero.',
  TransferNotAvailableForAccountClass: 'A conta legada não transfere mais.',
  TransferToSameAccountNotAllowed: 'A origem e o destino são a mesma conta.',
  ReturnExceedsReport: 'O valor é maior que o contestado.',
  DefenceNotPossible: 'A defesa não é mais possível.',
  InfractionIsDecided: 'A infração já foi decidida.',
  DecidedByRail: 'A decisão cabe ao provedor do Pix.',
  NothingToRecover: 'Não há valor a recuperar.',
  RecoveryPeriodExpired: 'O prazo da recuperação terminou.',
  RecoveryIsOpen: 'Já há uma recuperação em andamento.',
  RecoveryNotAvailable: 'A recuperação não está disponível.',
  TransitionNotAllowed: 'O estado atual não permite isso.',
  TreeNotYetCovered: 'Os nós guardados ainda não chegam a essa árvore.',
  UnsupportedMediaType: 'O corpo não é application/json.',
  VerificationUnderWay: 'Já há uma verificação em andamento.',
  WrongOrder: 'A árvore menor deve vir antes da maior.',
};

/** Faults of a field in Portuguese, by their codes. */
export const FAULTS: Readonly<Record<string, string>> = {
  Required: 'é obrigatório',
  InvalidFormat: 'não está no formato esperado',
  InvalidType: 'é do tipo errado',
  NotAllowed: 'não é um dos valores permitidos',
  TooShort: 'é curto demais',
  TooLong: 'é longo demais',
  TooMany: 'tem itens demais',
  TooDeep: 'tem níveis demais',
  InvalidJson: 'não é JSON válido',
  MutuallyExclusive: 'exclui outro campo informado',
  Mismatch: 'não combina com outro campo',
};

const isPortuguese = language === 'pt-BR';
const lookUp = (words: Words, code: string) => words[code]?.[isPortuguese ? 1 : 0];

/** `AC07` as "the account is closed (AC07)"; an unknown code is shown as it is. */
export function reason(code: string): string {
  const sentence = lookUp(REASONS, code);
  return sentence === undefined ? code : `${sentence} (${code})`;
}

/** An event's name by its type; an unknown type is shown as it is. */
export function eventName(type: string): string {
  return lookUp(EVENTS, type) ?? type;
}

/** A field's label by its path; an unknown path is shown as it is. */
export function label(path: string): string {
  return lookUp(LABELS, path) ?? path;
}

/** A refusal in Portuguese, by its reason or its name; `undefined`: show the service's own message. */
export function errorText(name: string, why: string): string | undefined {
  return isPortuguese ? (ERRORS[why] ?? ERRORS[name]) : undefined;
}

export function faultText(code: string): string | undefined {
  return isPortuguese ? FAULTS[code] : undefined;
}
