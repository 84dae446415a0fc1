const HEX = /^(?:0x)?((?:[0-9a-f]{2})+)$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Decodes hex with or without `0x`; undefined if the string is empty or not hex. */
export function fromHex(text: string): Buffer | undefined {
  const [, digits] = HEX.exec(text) ?? [];
  return digits === undefined ? undefined : Buffer.from(digits, 'hex');
}

/** Decodes padded base64; undefined if the string is empty or not base64 (Node's decoder would skip invalid characters). */
export function fromBase64(text: string): Buffer | undefined {
  return text !== '' && BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;
}
