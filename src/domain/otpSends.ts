/** The API sends five emails within an hour and then none for an hour (API reference, Limits). */
const MAX_SENDS = 5;
const WINDOW_MS = 60 * 60_000;

/**
 * Counts the emails with one-time passwords that a flow sends, as the API counts them. Times are epoch milliseconds of
 * the flow's own clock.
 */
export class OtpRateLimit {
  private sent: number[] = [];
  private pausedUntil = 0;

  /** @returns when the next email may be sent; undefined means now */
  nextAllowedAt(now: number): number | undefined {
    return now < this.pausedUntil ? this.pausedUntil : undefined;
  }

  /** Counts an email that was sent, or may have been sent. */
  recordSend(now: number): void {
    this.sent = [...this.sent.filter((at) => now < at + WINDOW_MS), now];
    if (this.sent.length >= MAX_SENDS) this.pause(now);
  }

  /**
   * The API reports that no sends or entries are left (155142, 155141). Other logins of the user use the same limit.
   */
  pause(now: number): void {
    this.sent = [];
    this.pausedUntil = now + WINDOW_MS;
  }
}
