import type { TestClient, TestResponse } from '../chain/support';

/** An error code of the API and how to make the emulator return it. */
export interface ErrorCodeCase {
  code: number;
  /** HTTP status from the API reference, or from docs/api-behavior.md#envelopes-errors-and-paging if the reference has none. */
  status: number;
  /** `request`: the request itself causes it. `setting`: only the console or the outside world can cause it. */
  cause: 'request' | 'setting';
  /** Causes the error in a new world whose clock is paused. @returns the rejected response */
  trigger(client: TestClient): Promise<TestResponse>;
}
