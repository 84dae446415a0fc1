/** A call is in the workflow history several times. The server would reject a larger one after the flow has begun. */
export const MAX_CALL_BYTES = 64 * 1024;

/**
 * Whether the parameters of a contract call that the API shows are those that were sent. The API may write a number as a
 * text or the other way round, and an address in another case. It does not publish how it writes a tuple, so an object is
 * not compared with a list.
 */
export function sameCallParameters(shown: readonly unknown[], sent: readonly unknown[]): boolean {
  return shown.length === sent.length && shown.every((value, index) => sameValue(value, sent[index]));
}

function sameValue(shown: unknown, sent: unknown): boolean {
  if (isObject(shown) || isObject(sent)) {
    return Array.isArray(shown) && Array.isArray(sent) ? sameCallParameters(shown, sent) : true;
  }
  // JavaScript has rounded such a number when it read the response, so it is compared with what was sent, rounded too.
  if (typeof shown === 'number' && !Number.isSafeInteger(shown)) return Number(sent) === shown;
  return canonical(shown) === canonical(sent);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Two hexadecimal texts of different length are different bytes, so only their case is ignored. */
function canonical(value: unknown): string {
  const text = String(value);
  return /^0x[0-9a-f]*$/i.test(text) ? text.toLowerCase() : text;
}
