import { DefaultFailureConverter } from '@temporalio/common';

/**
 * Moves message and stack of every failure into a payload, so that the codec encrypts them. Client and worker load this
 * module by its path (`dataConverter.ts`), and the workflow bundle contains it (`bundle.ts`).
 */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
