const { randomUUID } = require('node:crypto');
const { invalid, usedKey } = require('../refusals');

const EMAIL = 'anna@conformance.example';
const badDevice = { code: 155137, status: 400, change: { deviceId: 'no-device' } };
const badEmail = { code: 155135, status: 400, change: { email: 'nobody' } };
const badToken = { code: 155105, status: 403, change: { userToken: 'not-a-token' } };

/** The user enters the password of the latest mail, and is logged in. */
async function enterOtp({ control, deviceToken, otpToken }) {
  const { mails } = await control('GET', `/mails?to=${encodeURIComponent(EMAIL)}`);
  const login = await control('POST', '/otp/verify', { deviceToken, otpToken, otp: mails.at(-1).code });
  return { login };
}

/** Logins by email and at SSO providers. */
module.exports = {
  createDeviceTokenForSocialLogin: {
    with: () => [{ deviceId: randomUUID(), idempotencyKey: randomUUID() }],
    refused: [
      usedKey,
      badDevice,
      {
        code: 155152,
        status: 404,
        change: {},
        given: ({ control }) => control('PATCH', '/settings', { ssoProviders: [] }),
        after: ({ control }) => control('PATCH', '/settings', { ssoProviders: ['Google', 'Facebook', 'Apple'] }),
      },
    ],
  },
  createDeviceTokenForEmailLogin: {
    given: () => ({ deviceId: randomUUID() }),
    with: ({ deviceId }) => [{ deviceId, email: EMAIL, idempotencyKey: randomUUID() }],
    keep: ({ deviceToken, otpToken }) => ({ deviceToken, otpToken }),
    refused: [usedKey, badDevice, badEmail],
  },
  resendOTP: {
    with: ({ userToken, otpToken, deviceId }) => [
      { userToken, otpToken, email: EMAIL, deviceId, idempotencyKey: randomUUID() },
    ],
    keep: ({ otpToken }) => ({ otpToken }),
    refused: [
      usedKey,
      { code: 155131, status: 400, change: { otpToken: 'not-a-token' } },
      { code: 155136, status: 400, change: ({ otpToken }) => ({ otpToken, email: 'otto@conformance.example' }) },
      badEmail,
    ],
  },
  refreshUserToken: {
    given: enterOtp,
    with: ({ login, deviceId }) => [
      { userToken: login.userToken, refreshToken: login.refreshToken, deviceId, idempotencyKey: randomUUID() },
    ],
    refused: [usedKey, badDevice, badToken, invalid({ refreshToken: '' })],
  },
};
