const sdk = require('@circle-fin/user-controlled-wallets');
const { newApiKey } = require('../emulator');
const { requestOf } = require('./walletErrors');
const { shared } = require('./steps/settings');
const logins = require('./steps/userLogins');
const people = require('./steps/users');
const signing = require('./steps/userSigning');
const transactions = require('./steps/userTransactions');
const wallets = require('./steps/userWallets');

/** This SDK does not wrap what axios throws. */
module.exports = {
  name: '@circle-fin/user-controlled-wallets',
  declared: 'UserControlledWallets',
  answerOf: ({ data, status, config }) => ({ answer: data, status, request: requestOf(config) }),
  errorOf: ({ response, name }) => ({ code: response?.data?.code, status: response?.status, kind: name }),
  kindOf: () => 'AxiosError',
  start({ url, apiKey, control }) {
    const clientOf = (key) => sdk.initiateUserControlledWalletsClient({ apiKey: key, baseUrl: url });
    return { control, client: clientOf(apiKey), stranger: clientOf(newApiKey()), keyless: clientOf('no-key') };
  },
  steps: { ...people, ...wallets, ...transactions, ...signing, ...logins, ...shared },
  never: {},
};
