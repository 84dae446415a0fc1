import { DefaultFailureConverter } from '@temporalio/common';

/**
 * Moves message and stack of every failure into a payload, which the codec encrypts. Loaded by path: by client and worker
 * (see dataConverter.ts), and built into the workflow bundle (see bundle.ts).
 */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
