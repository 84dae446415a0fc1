import type { NumberedMessage } from '../../src/domain/userSession';

/**
 * Recognizes messages of a session that come again: anyone who can write to the namespace can send a copy of an encrypted
 * signal. Messages of one run arrive in the order of their numbers. A run has ended when a run that the flow has used later
 * sends a message: a session delivers its messages before its next run begins.
 */
export class MessageOrder {
  /** The runs that have received requests, in the order of these. */
  private readonly runs: string[] = [];
  /** Position of the latest run that has sent a message. */
  private current = -1;
  /** The highest number of each run. */
  private readonly last = new Map<string, number>();

  /** A request of the flow went to this run. */
  addRun(runId: string): void {
    if (!this.runs.includes(runId)) this.runs.push(runId);
  }

  /** Takes a message. @returns whether it is new */
  take({ runId, number }: NumberedMessage['from']): boolean {
    const position = this.runs.indexOf(runId);
    const isOver = position >= 0 && position < this.current;
    if (isOver || number <= (this.last.get(runId) ?? 0)) return false;
    this.last.set(runId, number);
    this.current = Math.max(this.current, position);
    return true;
  }
}
