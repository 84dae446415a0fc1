/** So many mails, or entries, at a time, and so long without after the last of them (spec, Limits). */
const AT_A_TIME = 5;
const PAUSE_MS = 60 * 60_000;

/**
 * Mails with one-time passwords that a flow has sent, counted as the API counts them: five within the hour, then an hour
 * without. Times are epoch milliseconds of the flow's own clock.
 */
export class OtpSends {
  private sent: number[] = [];
  private closedUntil = 0;

  /** When the next mail may be sent; undefined: now. */
  nextAt(now: number): number | undefined {
    return now < this.closedUntil ? this.closedUntil : undefined;
  }

  /** A mail was sent, or may have been. */
  count(now: number): void {
    this.sent = [...this.sent.filter((at) => now < at + PAUSE_MS), now];
    if (this.sent.length >= AT_A_TIME) this.close(now);
  }

  /** The API said that sends or entries are used up (155142, 155141): others may have used some. */
  close(now: number): void {
    this.sent = [];
    this.closedUntil = now + PAUSE_MS;
  }
}
