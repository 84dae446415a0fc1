/** A backend's code about the input that `progress()` shows. See outcome.ts. */

import type { Flows } from 'walletflow';

export async function amountOf(flows: Flows, ref: string): Promise<string | undefined> {
  const { input } = await flows.transfer.get(ref).progress();
  // @ts-expect-error -- absent if no worker responded
  void input.amount;
  // @ts-expect-error -- a transfer has no user
  void input?.userId;
  return input?.amount;
}

export async function isEmailSealed(flows: Flows, ref: string): Promise<boolean> {
  const { input } = await flows.onboardUser.get(ref).progress();
  if (input?.method !== 'email') return false;
  // @ts-expect-error -- never the ciphertext
  void input.email.ciphertext;
  // @ts-expect-error -- never the address
  void input.email.length;
  return input.email.sealed;
}
