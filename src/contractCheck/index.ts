/** Whether the contract says what published OpenAPI documents say, but for what is meant to differ. */
import { compare } from './compare';
import { contractOperations } from './contractOperations';
import { KNOWN } from './known';
import { publishedOperations } from './publishedOperations';
import { type Settled, settle } from './settle';

export { isSettled, type Settled } from './settle';

/** @throws Error where the folder can't be read or holds something else than OpenAPI 3 documents */
export function checkContract(folder: string): Settled {
  return settle(compare(contractOperations(), publishedOperations(folder)), KNOWN);
}
