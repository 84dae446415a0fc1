/** Compares the contract with published OpenAPI documents and marks the known differences. */
import { compare } from './compare';
import { contractOperations } from './contractOperations';
import { KNOWN_DIFFERENCES } from './known';
import { applyKnown, type CheckResult } from './knownDifferences';
import { publishedOperations } from './publishedOperations';

export { type CheckResult, isClean } from './knownDifferences';

/** @throws Error if the folder can't be read, or contains no OpenAPI 3 documents or other documents */
export function checkContract(folder: string): CheckResult {
  return applyKnown(compare(contractOperations(), publishedOperations(folder)), KNOWN_DIFFERENCES);
}
