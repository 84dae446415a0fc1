/** Wrong entries in a row that lock, and for how long (api-facts 5). */
const WRONG_ENTRIES = 3;
const LOCKED_MS = 30 * 60_000;

/** What the API shows of a lock: `pinDetails`, `securityQuestionDetails`. */
export interface LockDetails {
  failedAttempts: number;
  lockedDate?: string | undefined;
  lockedExpiryDate?: string | undefined;
  lastLockOverrideDate?: string | undefined;
}

/** Counts wrong entries of a PIN, or of answers to security questions, and locks after too many. */
export class EntryLock {
  #failedAttempts = 0;
  #lockedAt: Date | undefined;
  #lockedUntil: Date | undefined;
  #overriddenAt: Date | undefined;

  isLocked(now: Date): boolean {
    return this.#lockedUntil !== undefined && now < this.#lockedUntil;
  }

  /** A wrong entry, of one who is not locked out. */
  fail(now: Date): void {
    // The lock before has run out: counting begins anew.
    if (this.#failedAttempts >= WRONG_ENTRIES) this.#failedAttempts = 0;
    this.#failedAttempts += 1;
    if (this.#failedAttempts >= WRONG_ENTRIES) this.lock(now);
  }

  succeed(): void {
    this.#failedAttempts = 0;
  }

  lock(now: Date): void {
    this.#failedAttempts = WRONG_ENTRIES;
    this.#lockedAt = now;
    this.#lockedUntil = new Date(now.getTime() + LOCKED_MS);
  }

  /** Before its time, as an administrator does. */
  unlock(now: Date): void {
    this.#failedAttempts = 0;
    this.#lockedUntil = undefined;
    this.#overriddenAt = now;
  }

  details(now: Date): LockDetails {
    const locked = this.isLocked(now);
    const over = !locked && this.#failedAttempts >= WRONG_ENTRIES;
    return {
      failedAttempts: over ? 0 : this.#failedAttempts,
      lockedDate: locked ? this.#lockedAt?.toISOString() : undefined,
      lockedExpiryDate: locked ? this.#lockedUntil?.toISOString() : undefined,
      lastLockOverrideDate: this.#overriddenAt?.toISOString(),
    };
  }
}
