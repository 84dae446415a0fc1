const sdk = require('@circle-fin/user-controlled-wallets');
const { newApiKey } = require('../emulator');
const { requestOf } = require('./walletErrors');
const { shared } = require('./steps/settings');
const logins = require('./steps/userLogins');
const users = require('./steps/users');
const signing = require('./steps/userSigning');
const transactions = require('./steps/userTransactions');
const wallets = require('./steps/userWallets');

/** This SDK throws the errors of axios unchanged. */
module.exports = {
  name: '@circle-fin/user-controlled-wallets',
  declared: 'UserControlledWallets',
  responseOf: ({ data, status, config }) => ({ response: data, status, request: requestOf(config) }),
  errorOf: ({ response, name }) => ({ code: response?.data?.code, status: response?.status, kind: name }),
  kindOf: () => 'AxiosError',
  start({ url, apiKey, control }) {
    const clientOf = (key) => sdk.initiateUserControlledWalletsClient({ apiKey: key, baseUrl: url });
    return {
      control,
      client: clientOf(apiKey),
      unknownKeyClient: clientOf(newApiKey()),
      malformedKeyClient: clientOf('no-key'),
    };
  },
  steps: { ...users, ...wallets, ...transactions, ...signing, ...logins, ...shared },
  skipped: {},
};
