import { Query } from '@nestjs/cqrs';
import type { Period } from '../../projection/period.js';
import type { LatencySeriesView, OverviewView } from './overview.answer.js';

/** The overview of the service: transitions over time, and backlogs. */
export class ReadOverview extends Query<OverviewView> {
  constructor(readonly period: Period) {
    super();
  }
}

/** Latency over time, by type. */
export class ReadLatency extends Query<LatencySeriesView> {
  constructor(readonly period: Period) {
    super();
  }
}
