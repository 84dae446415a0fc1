/** Names and shapes of what flows hear: one definition for workflows, handles, gateway and CLI (field case WF-02). */
export const QUERIES = { progress: 'progress' } as const;
export const UPDATES = { decide: 'decide', cancel: 'cancel' } as const;

export interface DecideRequest {
  choice: string;
  by: string;
}

export interface CancelRequest {
  by: string;
  reason?: string;
}

/**
 * - `accepted`: nothing had been sent; the flow ends `cancelled`
 * - `undecided`: a request was in flight; its outcome decides, and the flow's outcome tells
 * - `tooLate`: past the point of no return; the flow goes on to its truthful end
 */
export type CancelAnswer = 'accepted' | 'undecided' | 'tooLate';
