import { rpcBlockchains, rpcPath } from '../rpc/mountRpc';
import { control, type ControlTable } from './control';

/** URLs of the world's own host, for clients that send no API key. */
export const hostControls: ControlTable = {
  'GET /attestationHost': control({
    summary: 'Returns the URL of an attestation host for this world alone, for clients that send no API key',
    run: async ({ apiKey }, _input, { hosts }) => ({ url: await hosts.urlOf(apiKey) }),
  }),
  'GET /rpcUrls': control({
    summary: "Returns the URLs of the world's JSON-RPC endpoints, by blockchain, for clients that send no API key",
    run: async (world, _input, { hosts }) => {
      const host = await hosts.urlOf(world.apiKey);
      return Object.fromEntries(rpcBlockchains(world).map((blockchain) => [blockchain, host + rpcPath(blockchain)]));
    },
  }),
};
