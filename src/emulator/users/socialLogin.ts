import { Refusal } from '../refusal';
import type { Settings } from '../settings';
import type { World } from '../world';
import { deviceTokenOf } from './devices';
import { issueLogin, type IssuedLogin } from './tokens';
import { userOfLogin } from './users';

/** The SSO provider's token comes from outside, so that nothing of it can be checked here: its state is said. */
export interface SocialLogin {
  deviceToken: string;
  deviceEncryptionKey?: string | undefined;
  provider: Settings['ssoProviders'][number];
  account: string;
  ssoToken: 'valid' | 'expired' | 'invalid';
}

/**
 * What the browser SDK's `performLogin` ends with; the first login of an account makes its user.
 * @throws Refusal 155144, 155145, 155143 device token, 155152 provider, 155139, 155140 SSO token, 155109
 */
export function socialLogin(world: World, { provider, account, ssoToken, ...device }: SocialLogin): IssuedLogin {
  const { deviceId } = deviceTokenOf(world, device);
  if (!world.settings.ssoProviders.includes(provider)) throw new Refusal(155152);
  if (ssoToken === 'expired') throw new Refusal(155139);
  if (ssoToken === 'invalid') throw new Refusal(155140);
  return issueLogin(world, userOfLogin(world, { by: 'social', provider, account }), deviceId);
}
