/** How many wrong entries in a row lock, and for how long (docs/api-behavior.md#users-and-challenges). */
const WRONG_ENTRIES = 3;
const LOCKED_MS = 30 * 60_000;

/** A lock as the API shows it in `pinDetails` and `securityQuestionDetails`. */
export interface LockDetails {
  failedAttempts: number;
  lockedDate?: string | undefined;
  lockedExpiryDate?: string | undefined;
  lastLockOverrideDate?: string | undefined;
}

/** Counts wrong entries of a PIN, or of answers to security questions, and locks after three in a row. */
export class EntryLock {
  #failedAttempts = 0;
  #lockedAt: Date | undefined;
  #lockedUntil: Date | undefined;
  #overriddenAt: Date | undefined;

  isLocked(now: Date): boolean {
    return this.#lockedUntil !== undefined && now < this.#lockedUntil;
  }

  /** Counts a wrong entry. Call it only while unlocked. */
  fail(now: Date): void {
    // An earlier lock has expired, so counting starts over.
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

  /** Unlocks before the lock expires, as an administrator does. */
  unlock(now: Date): void {
    this.#failedAttempts = 0;
    this.#lockedUntil = undefined;
    this.#overriddenAt = now;
  }

  details(now: Date): LockDetails {
    const locked = this.isLocked(now);
    const lockExpired = !locked && this.#failedAttempts >= WRONG_ENTRIES;
    return {
      failedAttempts: lockExpired ? 0 : this.#failedAttempts,
      lockedDate: locked ? this.#lockedAt?.toISOString() : undefined,
      lockedExpiryDate: locked ? this.#lockedUntil?.toISOString() : undefined,
      lastLockOverrideDate: this.#overriddenAt?.toISOString(),
    };
  }
}
