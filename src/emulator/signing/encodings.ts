const HEX = /^(?:0x)?((?:[0-9a-f]{2})+)$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The bytes of hex with or without `0x`; undefined where it is none, or empty. */
export function fromHex(text: string): Buffer | undefined {
  const [, digits] = HEX.exec(text) ?? [];
  return digits === undefined ? undefined : Buffer.from(digits, 'hex');
}

/** The bytes of padded base64 (node's own decoder passes over what is none); undefined where it is none, or empty. */
export function fromBase64(text: string): Buffer | undefined {
  return text !== '' && BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;
}
