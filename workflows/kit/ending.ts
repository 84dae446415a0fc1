/** Whether this workflow has its outcome. Each workflow has its own instance of this module. */
let isOver = false;

/** The flow has its outcome, and only delivers what it has to say. */
export function beginEnd(): void {
  isOver = true;
}

/**
 * Waits for ever if the flow has its outcome. What ends only now, such as a watch that another run has begun, must not begin
 * anything: whether it ends before or after the flow's last command differs between a run and its replay.
 */
export function unlessEnding(): Promise<void> {
  return isOver ? new Promise(() => undefined) : Promise.resolve();
}
