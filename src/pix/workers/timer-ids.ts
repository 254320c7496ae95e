/** Ids of the work that never ends, rows of one table: those of modules that use this one are here too. */
export const TIMER_IDS = {
  sweep: '00000000-0000-7000-8000-000000000001',
  reconcile: '00000000-0000-7000-8000-000000000002',
  dispatcher: '00000000-0000-7000-8000-000000000003',
  medSweep: '00000000-0000-7000-8000-000000000004',
} as const;
