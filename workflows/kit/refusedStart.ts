import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { Outcome } from '../../src/domain/outcome';
import { SEARCH_ATTRIBUTES } from '../../src/domain/searchAttributes';
import { flows } from './flowSinks';

/** The outcome of a start that no flow can run with. `list` shows it, and the worker counts it, like any other. */
export function refusedStart(reason: string, remedy: string): Outcome<never> {
  upsertSearchAttributes([{ key: { name: SEARCH_ATTRIBUTES.outcome, type: 'KEYWORD' }, value: 'failed' }]);
  flows.ended(workflowInfo().workflowType, 'failed');
  return { status: 'failed', reason, remedy };
}
