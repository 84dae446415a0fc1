import { isLoopback, parseUrl } from './url';

/** Where an entity sends the events of its flows. */
export interface EventEndpoint {
  url: string;
  /** `whsec_` followed by 24 to 64 bytes in base64, the format of Standard Webhooks. */
  secret: string;
  /** Whether flows also send an event for each step. */
  steps?: boolean;
}

const SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;
const SECRET_BYTES = { min: 24, max: 64 };
const HOW_TO_GENERATE = 'Generate one with: echo "whsec_$(openssl rand -base64 32)"';

/** Whether a string has the form of a secret and therefore must not be shown. */
export function isEventSecret(text: string): boolean {
  const bytes = Buffer.from(SECRET.exec(text)?.[1] ?? '', 'base64').length;
  return bytes >= SECRET_BYTES.min && bytes <= SECRET_BYTES.max;
}

/** All problems of an endpoint, one line each: `field: problem. Remedy`. @param api origin of the entity's API */
export function checkEventEndpoint({ url, secret }: EventEndpoint, api: string): string[] {
  const problems = eventUrlProblem(url, api);
  return [
    ...(problems ? [`events.url: ${problems}`] : []),
    ...(isEventSecret(secret)
      ? []
      : [`events.secret: is not whsec_ followed by 24 to 64 bytes in base64. ${HOW_TO_GENERATE}`]),
  ];
}

/** The problem of an endpoint's URL, with its remedy, or undefined. @param api origin of the entity's API */
export function eventUrlProblem(text: string, api: string): string | undefined {
  const url = parseUrl(text);
  if (!url) return 'is not a URL. Write it like https://backend.example/walletflow-events';
  if (url.username || url.password || url.hash) return 'contains credentials or a fragment. Remove them';
  const local = isLoopback(url);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && local)) {
    return `${url.origin} is not https. Plain http is allowed only for hosts on this machine`;
  }
  if (!local && isLoopback(api)) {
    return `${url.origin} is not on this machine, but the entity's API is: events of a local API never leave this machine. Use a URL on this machine`;
  }
  return undefined;
}
