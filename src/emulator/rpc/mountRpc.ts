import type { FastifyInstance } from 'fastify';
import { type Blockchain, CONTRACT_BLOCKCHAINS, keyKindOf } from '../../domain/chains';
import { identifiedWorld } from '../http/identifiedWorld';
import type { World } from '../world/world';
import type { WorldRegistry } from '../world/worldRegistry';
import { answerJsonRpc, failure, RPC_CODES, RpcError } from './jsonRpc';
import { runMethod } from './methods';

export interface RpcOptions {
  worlds: WorldRegistry;
  /** The API key of the world that owns the server. */
  ownerKey?: string;
}

/** The path of a blockchain's endpoint. */
export function rpcPath(blockchain: Blockchain): string {
  return `/rpc/${blockchain}`;
}

/** The EVM blockchains of a world, which have an endpoint. */
export function rpcBlockchains({ kind }: Pick<World, 'kind'>): Blockchain[] {
  return CONTRACT_BLOCKCHAINS.filter((blockchain) => keyKindOf(blockchain) === kind);
}

/** Mounts `POST /rpc/{blockchain}`: JSON-RPC of the world's EVM blockchains, as one of their nodes offers it. */
export function mountRpc(app: FastifyInstance, { worlds, ownerKey }: RpcOptions): void {
  app.post<{ Params: { name: string } }>('/rpc/:name', (request, reply) => {
    const world = rpcWorld(worlds, request.headers.authorization, ownerKey);
    const blockchain = world && rpcBlockchains(world).find((each) => each === request.params.name);
    if (!blockchain) {
      const problem = world
        ? `The world has no EVM blockchain of this name. It has: ${rpcBlockchains(world).join(', ')}`
        : 'The emulator has several worlds; use the URLs of GET /emulator/rpcUrls, or send the API key of one';
      return reply.code(404).send(failure(null, new RpcError(RPC_CODES.server, problem)));
    }
    world.clock.runDue();
    const text = typeof request.body === 'string' ? request.body : '';
    const response = answerJsonRpc(text, (method, params) => runMethod({ world, blockchain }, method, params));
    return response === undefined ? reply.code(204).send() : reply.send(response);
  });
}

/** The world that owns the host, the world of an API key, or the only world. */
function rpcWorld(
  worlds: WorldRegistry,
  authorization: string | undefined,
  ownerKey: string | undefined,
): World | undefined {
  const all = worlds.all();
  return identifiedWorld(worlds, authorization, ownerKey) ?? (all.length === 1 ? all[0] : undefined);
}
