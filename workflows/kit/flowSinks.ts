import { proxySinks, type Sinks } from '@temporalio/workflow';
import type { OutcomeStatus } from '../../src/domain/outcome';

/** The worker counts ended flows through this sink, which adds nothing to their histories. */
export interface FlowSinks extends Sinks {
  flows: { ended(flow: string, status: OutcomeStatus): void };
}

export const { flows } = proxySinks<FlowSinks>();
