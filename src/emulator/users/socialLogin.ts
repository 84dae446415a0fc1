import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { Settings } from '../settings';
import type { World } from '../world/world';
import { deviceTokenOf } from './devices';
import { type IssuedLogin, issueLogin } from './tokens';
import { findOrAddUser } from './users';

/** The emulator cannot check a real provider's token, so the caller states whether it is valid. */
export interface SocialLogin {
  deviceToken: string;
  deviceEncryptionKey?: string | undefined;
  provider: Settings['ssoProviders'][number];
  account: string;
  ssoToken: 'valid' | 'expired' | 'invalid';
}

/**
 * The end of the browser SDK's `performLogin`. The first login of an account creates its user.
 * @throws ApiErrorResponse 155144, 155145, 155143 device token, 155152 provider, 155139, 155140 SSO token, 155109
 */
export function socialLogin(world: World, { provider, account, ssoToken, ...device }: SocialLogin): IssuedLogin {
  const { deviceId } = deviceTokenOf(world, device);
  if (!world.settings.ssoProviders.includes(provider)) throw new ApiErrorResponse(155152);
  if (ssoToken === 'expired') throw new ApiErrorResponse(155139);
  if (ssoToken === 'invalid') throw new ApiErrorResponse(155140);
  return issueLogin(world, findOrAddUser(world, { kind: 'social', provider, account }), deviceId);
}
