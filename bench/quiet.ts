import pg from 'pg';

/**
 * Waits until followers, the tree of the checkpoints included, and workers are idle: one measurement must not disturb
 * the next.
 */
export async function quiet(databaseUrl: string, withinSeconds = 120): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const end = Date.now() + withinSeconds * 1_000; Date.now() < end;) {
      const { rows } = await client.query<{ left: string }>(`
        select coalesce(sum(h.position - s.position), 0)
          + exists (select from work where due_at <= now())::int
          + exists (select from webhook_delivery where status in ('Pending', 'Retrying'))::int as left
        from log_head h join subscription s using (partition)`);
      if (Number(rows[0]!.left) === 0) return;
      await new Promise((resume) => setTimeout(resume, 200));
    }
    throw new Error(`background work was not done within ${withinSeconds} s`);
  } finally {
    await client.end();
  }
}
