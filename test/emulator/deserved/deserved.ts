import type { Answer, Chain } from '../chain/support';

/** One error code of the API and how the emulator is brought to answer it. */
export interface Deserved {
  code: number;
  /** HTTP status, from the spec's tables; api-facts 2 where the spec says none. */
  status: number;
  /** `request`: earned by what is sent; `setting`: only a console or the world outside could cause it. */
  by: 'request' | 'setting';
  /** Earns it in a world of its own, which stands still, and gives the answer that was refused. */
  earn(chain: Chain): Promise<Answer>;
}
