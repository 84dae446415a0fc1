const sdk = require('@circle-fin/developer-controlled-wallets');
const { newApiKey } = require('../emulator');
const { malformedApiKey, unknownApiKey } = require('./errorCases');
const { readers } = require('./walletErrors');

const { responseOf, errorOf, kindOf } = readers(sdk);
/** RSA-OAEP with a 4096-bit key, in base64. */
const CIPHERTEXT = /^[A-Za-z0-9+/]{683}=$/;

/** The stand-alone functions of the package, for an entity without a secret. */
module.exports = {
  name: '@circle-fin/developer-controlled-wallets',
  declared: 'EntitySecret',
  responseOf: (value) =>
    typeof value === 'string' ? { response: value, status: 200, request: 'encrypted' } : responseOf(value),
  errorOf,
  kindOf,
  async start({ url: baseUrl, apiKey, entitySecret, control }) {
    const { generateEntitySecret, generateEntitySecretCiphertext, registerEntitySecretCiphertext } = sdk;
    await control('PUT', '/entitySecret', { entitySecret: null });
    const options = { entitySecret, baseUrl };
    const clientOf = (key) =>
      Object.create({
        generateEntitySecret,
        generateEntitySecretCiphertext: () => generateEntitySecretCiphertext({ ...options, apiKey: key }),
        registerEntitySecretCiphertext: () =>
          quietly(() => registerEntitySecretCiphertext({ ...options, apiKey: key })),
      });
    return {
      control,
      client: clientOf(apiKey),
      unknownKeyClient: clientOf(newApiKey()),
      malformedKeyClient: clientOf('no-key'),
    };
  },
  steps: {
    generateEntitySecretCiphertext: {
      expect: (ciphertext) => ({ 'looks like a ciphertext': [CIPHERTEXT.test(ciphertext), true] }),
      errors: [unknownApiKey, malformedApiKey],
    },
    registerEntitySecretCiphertext: {
      expect: ({ recoveryFile }) => ({ 'a recovery file': [recoveryFile.length > 0, true] }),
      errors: [{ code: 156015, status: 409 }, unknownApiKey],
    },
  },
  skipped: { 'prints a new secret': ['generateEntitySecret'] },
};

/** Suppresses the output of a call, because it prints the secret. */
async function quietly(call) {
  const { log } = console;
  console.log = () => {};
  try {
    return await call();
  } finally {
    console.log = log;
  }
}
