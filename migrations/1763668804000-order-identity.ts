import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Orders that must be unique are compared in NFC and trimmed. Rows keep what was sent: nearly all are written so
 * already and are found by `transaction_by_order`; this index has the others, and costs a write of the usual kind
 * nothing.
 */
export class OrderIdentity1763668804000 implements MigrationInterface {
  name = 'OrderIdentity1763668804000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`
      create index transaction_by_order_identity on transaction (partition, account_uid, (${IDENTITY}))
      where order_id <> ${IDENTITY}`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

/** What `String.prototype.trim` takes away, but for line ends and control characters, which no order has. */
const SPACES = String.raw`U&' \00a0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200a\2028\2029\202f\205f\3000\feff'`;
const IDENTITY = `btrim(normalize(order_id, NFC), ${SPACES})`;
