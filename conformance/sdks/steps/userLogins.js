const { randomUUID } = require('node:crypto');
const { invalid, usedKey } = require('../errorCases');

const EMAIL = 'anna@conformance.example';
const badDevice = { code: 155137, status: 400, change: { deviceId: 'no-device' } };
const badEmail = { code: 155135, status: 400, change: { email: 'nobody' } };
const badToken = { code: 155105, status: 403, change: { userToken: 'not-a-token' } };

/** Logs the user in with the one-time password of the latest email. */
async function enterOtp({ control, deviceToken, otpToken }) {
  const { mails } = await control('GET', `/mails?to=${encodeURIComponent(EMAIL)}`);
  const login = await control('POST', '/otp/verify', { deviceToken, otpToken, otp: mails.at(-1).code });
  return { login };
}

/** Logins by email and social login. */
module.exports = {
  createDeviceTokenForSocialLogin: {
    args: () => [{ deviceId: randomUUID(), idempotencyKey: randomUUID() }],
    errors: [
      usedKey,
      badDevice,
      {
        code: 155152,
        status: 404,
        change: {},
        setup: ({ control }) => control('PATCH', '/settings', { ssoProviders: [] }),
        cleanup: ({ control }) => control('PATCH', '/settings', { ssoProviders: ['Google', 'Facebook', 'Apple'] }),
      },
    ],
  },
  createDeviceTokenForEmailLogin: {
    setup: () => ({ deviceId: randomUUID() }),
    args: ({ deviceId }) => [{ deviceId, email: EMAIL, idempotencyKey: randomUUID() }],
    save: ({ deviceToken, otpToken }) => ({ deviceToken, otpToken }),
    errors: [usedKey, badDevice, badEmail],
  },
  resendOTP: {
    args: ({ userToken, otpToken, deviceId }) => [
      { userToken, otpToken, email: EMAIL, deviceId, idempotencyKey: randomUUID() },
    ],
    save: ({ otpToken }) => ({ otpToken }),
    errors: [
      usedKey,
      { code: 155131, status: 400, change: { otpToken: 'not-a-token' } },
      { code: 155136, status: 400, change: ({ otpToken }) => ({ otpToken, email: 'otto@conformance.example' }) },
      badEmail,
    ],
  },
  refreshUserToken: {
    setup: enterOtp,
    args: ({ login, deviceId }) => [
      { userToken: login.userToken, refreshToken: login.refreshToken, deviceId, idempotencyKey: randomUUID() },
    ],
    errors: [usedKey, badDevice, badToken, invalid({ refreshToken: '' })],
  },
};
