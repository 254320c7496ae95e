/**
 * SQL: `uid` of the accounts of a partner in partition `$1`, for statements that go through their transactions.
 * @param partner SQL of the partner's uid
 */
export function accountsOfPartner(partner: string): string {
  return `select uid from account where partition = $1 and partner_uid = ${partner} and system is null`;
}
