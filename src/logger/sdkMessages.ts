/**
 * The constant beginnings of the messages that the TypeScript SDK logs. The rest of a message is built from errors and
 * names. A test compares this list with the sources of the installed SDK.
 */
const SDK_MESSAGES = [
  // Activities and workflows
  'Activity completed',
  'Activity completed as cancelled',
  'Activity failed',
  'Activity failed, waiting for heartbeats to be flushed',
  'Activity paused',
  'Activity reset',
  'Activity resolved',
  'Activity started',
  'Activity will complete asynchronously',
  'Cancelling activity',
  'Completed activation',
  'Creating workflow',
  'Disposing workflow',
  'Error while processing ActivityTask.start',
  'Failed to encode heartbeat details, cancelling Activity',
  'Failed to process Workflow Activation',
  'Got activity heartbeat',
  'Got activity task',
  'Got workflow activation',
  'Patch activation callback failed',
  'Starting activity',
  'Tried to cancel a non-existing activity',
  'Workflow completed',
  'Workflow completed as cancelled',
  'Workflow continued as new',
  'Workflow failed',
  'Workflow started',
  'An unexpected error occurred while processing Workflow Activation. Initiating Worker shutdown.',
  '[TMPRL1102] Workflow finished while a signal handler was still running.',
  '[TMPRL1102] Workflow finished while an update handler was still running.',
  // Workers
  'Activity Worker terminated',
  'Bun versions older than',
  'Core reported failure in completeWorkflowActivation(). Initiating Worker shutdown.',
  'Creating worker',
  'Error closing previous connection after replacement of worker connection',
  'Error converting native log entry',
  'Error in custom slot supplier `reserveSlot`',
  'Error in custom slot supplier markSlotUsed',
  'Error in custom slot supplier releaseSlot',
  'Error in custom slot supplier tryReserveSlot',
  'Error while offloading ActivityTask result to external storage',
  'External sink function threw an error',
  'Failed to initiate shutdown',
  'Heartbeats complete',
  'Ignoring WorkerOptions.bundlerOptions because WorkerOptions.workflowBundle is set',
  'Ignoring WorkerOptions.interceptors.workflowModules because WorkerOptions.workflowBundle is set',
  'Ignoring WorkerOptions.workflowsPath because WorkerOptions.workflowBundle is set',
  'No activities registered, not polling for activity tasks',
  'No workflows registered, not polling for workflow tasks',
  'Shutdown force time expired, terminating worker',
  'This program is running inside a containerized environment with a memory constraint',
  'Worker failed',
  'Worker state changed',
  'Workflow Poller changed state to FAILED',
  'Workflow Poller changed state to SHUTDOWN',
  'Workflow Worker Thread exited with code',
  'Workflow Worker Thread failed',
  'Workflow Worker terminated',
  'Workflow bundle created',
  'Workflow referenced an unregistered external sink',
  'maxCachedWorkflows must be either 0 (ie. cache is disabled) or greater than 1. Defaulting to 2.',
  "maxConcurrentWorkflowTaskExecutions can't be lower than 2 if maxCachedWorkflows is non-zero. Defaulting to 2.",
  "maxConcurrentWorkflowTaskExecutions can't exceed maxCachedWorkflows",
  // Nexus, which Walletflow does not use
  'Cancelling Nexus handler',
  'Error while offloading Nexus task result to external storage',
  'Error while processing Nexus task',
  'Error while retrieving Nexus task payloads from external storage',
  'Got Nexus task',
  'Nexus Worker terminated',
  'Nexus handler invocation completed',
  'Nexus handler invocation completed as cancelled',
  'Nexus handler invocation failed',
  'Nexus handler started',
  'No Nexus services registered, not polling for Nexus tasks',
  'Tried to cancel a non-existing Nexus handler',
].sort((a, b) => b.length - a.length);

/** The constant part of a message of the TypeScript SDK, or undefined for an unknown message. */
export function constantPart(message: string): string | undefined {
  return SDK_MESSAGES.find((beginning) => message.startsWith(beginning));
}

/** Words up to the first character that may begin a value: a digit, a colon, a quote, a bracket, a line break. */
const WORDS = /^[A-Za-z][A-Za-z_' ,.-]*/;
const MAX_LENGTH = 100;

/**
 * The beginning of a message of the native core. Its messages are numerous and change with each release. But the core
 * sees only encrypted payloads and encoded failures, and values come after the first words or in separate fields.
 */
export function firstWords(message: string): string | undefined {
  return WORDS.exec(message)?.[0].trim().slice(0, MAX_LENGTH);
}
