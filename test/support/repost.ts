import type { ReceivedWebhook } from './receiver';

/** Posts the bytes of a received webhook to a gateway. @returns the status */
export async function repost(to: { endpoint: string }, { raw, headers }: ReceivedWebhook): Promise<number> {
  const names = ['content-type', 'x-circle-signature', 'x-circle-key-id'];
  const { status } = await fetch(to.endpoint, {
    method: 'POST',
    body: new Uint8Array(raw),
    headers: Object.fromEntries(names.map((name) => [name, String(headers[name])])),
  });
  return status;
}
