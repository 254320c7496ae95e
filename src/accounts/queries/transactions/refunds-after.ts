/** The most transactions looked at: a follower that lags further behind has them left out until it follows. */
const MAX_LOOKED_AT = 10_000;

/**
 * SQL: `id` and `position` of an account's refunds of a transaction after a position, in partition `$1`. They are
 * looked for among all of the account after it, in the order of its index: no plan reads the account's whole history.
 * @param after SQL of the position: up to there a follower's index has them
 */
export function refundsAfter(after: string, account: string, transaction: string): string {
  return `
    select id, position from (
      select id, position, refund_of from transaction
      where partition = $1 and account_uid = ${account} and position > ${after}
      order by position limit ${MAX_LOOKED_AT}) as newest
    where refund_of = ${transaction}`;
}
