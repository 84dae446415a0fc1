import type { SignalDefinition, UpdateDefinition } from '@temporalio/common';
import { log, setHandler } from '@temporalio/workflow';
import { type Form, readForm } from '../../src/domain/forms';

// How workflows receive messages. An error in a handler of a signal would fail the workflow task again and again, so a
// message of another form must never reach a handler (docs/architecture.md#a-message-never-stops-a-workflow).

/**
 * Handles a signal. One without the expected form is logged and dropped: its sender gets no response.
 * @param handleUnreadable learns about a signal without the expected form
 */
export function onSignal<T>(
  signal: SignalDefinition<[T]>,
  form: Form<T>,
  handle: (value: T) => void | Promise<void>,
  handleUnreadable: (argument: unknown, problem: string) => void = () => undefined,
): void {
  setHandler(signal, (argument: unknown) => {
    const { value, problem } = readForm(form, argument);
    if (problem === undefined) return handle(value as T);
    warnDropped(signal.name, problem);
    handleUnreadable(argument, problem);
  });
}

/** Logs a signal, or a part of one, that the workflow cannot use. @param problem names the field, not the value */
export function warnDropped(signal: string, problem: string): void {
  log.warn(`Dropped a signal: ${signal}: ${problem}`);
}

/**
 * Handles an Update. One without the expected form is refused before it is accepted, and its sender learns why.
 * @param problem why the message cannot be applied now
 */
export function onUpdate<Q, A>(
  update: UpdateDefinition<A, [Q]>,
  form: Form<Q>,
  handle: (request: Q) => A | Promise<A>,
  problem: (request: Q) => string | undefined = () => undefined,
): void {
  const validator = (argument: unknown) => {
    const request = readForm(form, argument);
    const refusal = request.problem ?? problem(request.value as Q);
    if (refusal !== undefined) throw new Error(refusal);
  };
  setHandler(update, (argument: unknown) => handle(form(argument)), { validator });
}
