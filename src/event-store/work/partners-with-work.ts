/**
 * The partners that payloads name, of a partition's work (`$1`) of one kind (`$2`): a look-up in an index for each,
 * however much work there is. A partner without uid ends it.
 */
export const PARTNERS_WITH_WORK = `
  with recursive queued (uid) as (
    (select payload ->> 'partnerUid' from work
     where partition = $1 and kind = $2 and payload ->> 'partnerUid' is not null
     order by payload ->> 'partnerUid' limit 1)
    union all
    select (
      select payload ->> 'partnerUid' from work
      where partition = $1 and kind = $2 and payload ->> 'partnerUid' > queued.uid
      order by payload ->> 'partnerUid' limit 1)
    from queued where queued.uid is not null)`;
