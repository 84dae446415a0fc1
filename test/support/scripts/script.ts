import type { FlowHandle } from '../../../src/client/flowHandle';
import type { FlowName } from '../../../src/domain/flowNames';
import type { Progress } from '../../../src/domain/progress';
import type { Stack } from '../stack';

/** A flow, ready to start, with everything that happens beside it. */
export interface Script {
  flow: FlowName;
  input: { ref: string };
  /** What a user or an operator does before each step. Users approve on their own. */
  play?(flow: FlowHandle<unknown>, progress: Progress): Promise<void>;
}

export type Scripts = Record<string, (stack: Stack) => Promise<Script>>;
