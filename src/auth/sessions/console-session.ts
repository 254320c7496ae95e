import { Column, Entity, PrimaryColumn } from 'typeorm';

export type SessionRole = 'operator' | 'auditor';

/** A console session. */
@Entity()
export class ConsoleSession {
  /** Keyed hash of the cookie's token. */
  @PrimaryColumn('bytea') id: Buffer;
  @Column('text') role: SessionRole;
  @Column() subject: string;
  /** Of the credential that it was exchanged for. */
  @Column('bytea') fingerprint: Buffer;
  @Column('timestamptz') seenAt: Date;
  @Column('timestamptz') expiresAt: Date;
  @Column('bytea') seal: Buffer | null;
}
