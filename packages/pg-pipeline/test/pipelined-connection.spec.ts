import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { encoded, failedStatement, PipelinedConnection } from '../src/index.ts';

/** The server of the run; nothing is left in it. */
const server = { connectionString: process.env.TEST_POSTGRES_URL };
let connection: PipelinedConnection;

beforeAll(async () => {
  connection = await PipelinedConnection.open(server);
});

afterAll(() => connection.close());

const statement = (name: string, text: string, values: unknown[] = []) => ({ name, text, values });

async function askedByPg(asked: { name: string; text: string; values: unknown[] }): Promise<unknown[]> {
  const client = new Client(server);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(asked)).rows;
  } finally {
    await client.end();
  }
}

describe('array parameters', () => {
  const arrays: { type: string; values: unknown[]; text: string }[] = [
    {
      type: 'text',
      values: ['a', '', null, 'ação "x", \\ {1}', '🙂'],
      text: '{a,"",NULL,"ação \\"x\\", \\\\ {1}",🙂}',
    },
    {
      type: 'text',
      values: ['only ASCII', null, '', 'x'.repeat(300)],
      text: `{"only ASCII",NULL,"",${'x'.repeat(300)}}`,
    },
    { type: 'smallint', values: [1, -2], text: '{1,-2}' },
    { type: 'int', values: [0, -2147483648, 2147483647, null], text: '{0,-2147483648,2147483647,NULL}' },
    { type: 'bigint', values: [9223372036854775807n, '-1', 5], text: '{9223372036854775807,-1,5}' },
    { type: 'bytea', values: [Buffer.from([0, 255]), Buffer.alloc(0)], text: '{"\\\\x00ff","\\\\x"}' },
    { type: 'boolean', values: [true, false, null], text: '{t,f,NULL}' },
    {
      type: 'uuid',
      values: ['01990000-0000-7abc-8def-0123456789ab', null],
      text: '{01990000-0000-7abc-8def-0123456789ab,NULL}',
    },
  ];

  it.each(arrays)('of $type arrive as they were given: $text', async ({ type, values, text }) => {
    const [result] = await connection.run([statement(`array-${type}`, `select $1::${type}[]::text as text`, [values])]);
    expect(result!.rows).toEqual([{ text }]);
  });

  it.each(arrays)('of $type arrive so from a client of pg itself: $text', async ({ type, values, text }) => {
    const asked = encoded(statement(`array-of-${type}`, `select $1::${type}[]::text as text`, [values]));
    expect(asked.values).toEqual([expect.any(Buffer)]);
    await expect(askedByPg(asked)).resolves.toEqual([{ text }]);
  });

  it.each([
    ['without a cast', 'select array_length($1::text[], 1) + cardinality(array_remove($2, 3)) as n', [['x'], [3, 4]]],
    ['of another type', 'select array_length($1::text[], 1) + cardinality($2::numeric[]) as n', [['x'], [1.5]]],
  ])('%s stay as they are for a client of pg', async (_, text, values) => {
    const asked = encoded(statement('', text, values));
    expect(asked.values).toEqual([expect.any(Buffer), values[1]]);
    await expect(askedByPg(asked)).resolves.toEqual([{ n: 2 }]);
  });

  it('of times are exact to the millisecond, before 2000 too', async () => {
    const times = [
      new Date('1999-12-31T23:59:59.999Z'),
      new Date('2026-11-20T13:00:00.001Z'),
      new Date('9999-12-31T23:59:59.999Z'),
    ];
    const [result] = await connection.run([
      statement('times', `select array_to_json($1::timestamptz[])::text as text`, [times]),
    ]);
    expect((JSON.parse(result!.rows[0]!.text as string) as string[]).map((text) => new Date(text))).toEqual(times);
  });

  it('may be empty', async () => {
    const [result] = await connection.run([statement('empty', 'select cardinality($1::uuid[]) as n', [[]])]);
    expect(result!.rows).toEqual([{ n: 0 }]);
  });

  it.each([
    ['uuid', '01990000-0000-7abc-8def-0123456789a'],
    ['uuid', '01990000-0000-7abc-8def-0123456789abc'],
    ['uuid', '01990000-0000-7abc-8def-0123456789ag'],
    ['uuid', '01990000-0000-7abc-8def-0123456789aé'],
    ['smallint', 32_768],
    ['int', -2_147_483_649],
    ['int', 1.5],
    ['bigint', 2n ** 63n],
    ['timestamptz', new Date(Number.NaN)],
    ['int', ''],
    ['bigint', ''],
    ['bigint', true],
    ['bigint', 'x'],
    ['boolean', 'f'],
    ['bytea', '\\x01'],
    ['text', 1],
  ])('of %s refuse what the type does not hold: %s', async (type, value) => {
    await expect(connection.run([statement('', `select $1::${type}[]`, [[value]])])).rejects.toThrow(RangeError);
  });

  it('that cannot be encoded send nothing and leave the connection usable', async () => {
    await expect(connection.run([statement('bad', 'select $1::uuid[]', [['no uuid']])])).rejects.toThrow(RangeError);
    await expect(connection.run([statement('bare', 'select $1', [[1]])])).rejects.toThrow('cast it');
    expect((await connection.run([statement('one', 'select 1 as one')]))[0]!.rows).toEqual([{ one: 1 }]);
  });
});

describe('a group of statements', () => {
  it('after an error runs none of the rest, and each of them runs when it is sent again', async () => {
    await connection.run([statement('make', 'create temporary table made (n int)')]);
    const insert = statement('insert', 'insert into made values ($1)', [1]);
    await expect(
      connection.run([
        statement('begin', 'begin'),
        statement('fail', 'select 1 / 0'),
        insert,
        statement('commit', 'commit'),
      ]),
    ).rejects.toMatchObject({ code: '22012' });
    await connection.run([statement('rollback', 'rollback')]);
    const [inserted, counted] = await connection.run([
      insert,
      statement('count', 'select count(*)::int as n from made'),
    ]);
    expect(inserted!.tag).toBe('INSERT 0 1');
    expect(counted!.rows).toEqual([{ n: 1 }]);
  });

  it('says which statement could not be sent, and of a lost connection that none was', async () => {
    const unsent = [statement('one', 'select 1'), statement('bad', 'select $1::uuid[]', [['no uuid']])];
    expect(failedStatement(await connection.run(unsent).catch((error: unknown) => error))).toBe(1);
    const other = await PipelinedConnection.open(server);
    const lost = other.run([statement('sleep', 'select pg_sleep(5)')]).catch((error: unknown) => error);
    other.destroy();
    expect(failedStatement(await lost)).toBeUndefined();
  });

  it.each([
    ['was changed', 'alter table made_wider add column m int', '0A000'],
    ['was forgotten', 'deallocate all', '26000'],
  ])('fails once where what it has prepared %s, and not ever after', async (_, change, code) => {
    const own = await PipelinedConnection.open(server);
    const all = statement('all', 'select * from made_wider');
    const one = statement('one', 'select 1 as one');
    await own.run([{ text: 'create temporary table made_wider (n int)' }, all, one]);
    await own.run([{ text: change }]);
    await expect(own.run([all])).rejects.toMatchObject({ code });
    expect((await own.run([one, all, all])).map(({ tag }) => tag)).toEqual(['SELECT 1', 'SELECT 0', 'SELECT 0']);
    await own.close();
  });

  it.each(['the first time', 'when the columns are known already'])(
    'gives each statement its own rows, in order: %s',
    async () => {
      const results = await connection.run([
        statement('series', 'select n from generate_series(1, 3) n'),
        statement('none', 'select 1 as n where false'),
        statement('named', `select 'x' as name, null as nothing`),
        { text: 'select true as unnamed' },
      ]);
      expect(results.map(({ rows }) => rows)).toEqual([
        [{ n: 1 }, { n: 2 }, { n: 3 }],
        [],
        [{ name: 'x', nothing: null }],
        [{ unnamed: true }],
      ]);
    },
  );

  it('may have a statement that does nothing', async () => {
    const nothing = statement('nothing', '-- nothing');
    const one = statement('one', 'select 1 as one');
    for (let i = 0; i < 2; i++) {
      const results = await connection.run([one, nothing, one]);
      expect(results.map(({ tag }) => tag)).toEqual(['SELECT 1', '', 'SELECT 1']);
    }
  });

  it('may be of any size, and say the same statement several times', async () => {
    const long = 'ção '.repeat(500_000);
    const lengths = (values: string[]) => values.map((value) => statement('length', 'select length($1) as n', [value]));
    const rowsOf = async (values: string[]) => (await connection.run(lengths(values))).map(({ rows }) => rows[0]!.n);
    expect(await rowsOf(['', long, 'x', long])).toEqual([0, 2_000_000, 1, 2_000_000]);
    expect(await rowsOf(['xyz'])).toEqual([3]);
  });
});

describe('a guarded connection', () => {
  class Lost extends Error {}
  const failure = (cause: unknown) => new Lost('not here', { cause });
  const one = statement('one', 'select 1 as one');
  const openWith = (...statements: { name: string; text: string; values: unknown[] }[]) =>
    PipelinedConnection.open(server, [], { statements, failure });

  it('goes on while its guard holds, and after an error of another statement', async () => {
    const guarded = await openWith(statement('guard', 'select 1'));
    expect((await guarded.run([...guarded.guard, one])).at(-1)!.rows).toEqual([{ one: 1 }]);
    await expect(guarded.run([...guarded.guard, statement('fail', 'select 1 / 0')])).rejects.toMatchObject({
      code: '22012',
    });
    expect(guarded.usable).toBe(true);
    await guarded.close();
  });

  it('goes on after a statement behind the guard that could not be sent', async () => {
    const guarded = await openWith(statement('guard', 'select 1'));
    const bad = statement('bad', 'select $1::uuid[]', [['no uuid']]);
    await expect(guarded.run([...guarded.guard, bad])).rejects.toThrow(RangeError);
    expect(guarded.usable).toBe(true);
    await guarded.close();
  });

  it('is given up where the guard fails, with the error that its user asked for', async () => {
    const guarded = await openWith(statement('guard', 'select 1 / 0'));
    const failed = await guarded.run([...guarded.guard, one]).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Lost);
    expect(failed).toMatchObject({ cause: { code: '22012' } });
    expect(guarded.usable).toBe(false);
    await expect(guarded.query(one)).rejects.toThrow('given up');
  });
});
