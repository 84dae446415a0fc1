import type { Abi } from 'viem';
import { Refusal } from '../refusal';

const TYPES = new Set(['function', 'event', 'error', 'constructor', 'fallback', 'receive']);
const NAMED = new Set(['function', 'event', 'error']);

/** An ABI in JSON. @throws Refusal 175007 */
export function parseAbiJson(text: string): Abi {
  try {
    const abi: unknown = JSON.parse(text);
    if (Array.isArray(abi) && abi.every(isAbiItem)) return abi as Abi;
  } catch {
    // No JSON at all.
  }
  throw new Refusal(175007);
}

function isAbiItem(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false;
  const { type = 'function', name, inputs = [], outputs = [] } = item as Record<string, unknown>;
  return (
    typeof type === 'string' &&
    TYPES.has(type) &&
    (!NAMED.has(type) || typeof name === 'string') &&
    [inputs, outputs].every((list) => Array.isArray(list) && list.every(isParameter))
  );
}

function isParameter(parameter: unknown): boolean {
  if (typeof parameter !== 'object' || parameter === null) return false;
  const { type, components = [] } = parameter as Record<string, unknown>;
  return typeof type === 'string' && Array.isArray(components) && components.every(isParameter);
}
