"""
Supplies what schemathesis cannot derive from a schema: credentials, single-use secrets, and ids that exist.

FUZZ_WORLD names a JSON file `{entitySecret, publicKey, userToken, bodies, values}`. `bodies` are valid bodies by operation;
generated requests change some of their fields. `values` are known values by field (`walletId`, `address`); ids from
responses are added to them. An intentionally invalid request stays invalid, because only values in the form of an id or an
address are replaced.
"""

import base64
import json
import os
import random
import re

import schemathesis
from schemathesis import GenerationMode
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

with open(os.environ["FUZZ_WORLD"], encoding="utf8") as file:
    WORLD = json.load(file)

KEY = serialization.load_pem_public_key(WORLD["publicKey"].encode())
PADDING = padding.OAEP(mgf=padding.MGF1(hashes.SHA256()), algorithm=hashes.SHA256(), label=None)
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
# Share of values sent as generated, to cover unknown ids, invalid ciphertexts and requests without a user.
AS_GENERATED = 0.15
MAX_VALUES = 200
CREDENTIAL_FIELDS = ("entitySecretCiphertext", "idempotencyKey")

values = {field: list(field_values) for field, field_values in WORLD["values"].items()}
rng = random.Random(int(os.environ.get("FUZZ_SEED", "1")))


@schemathesis.hook
def before_call(context, case, kwargs):
    case.path_parameters = with_known_values(case.path_parameters, noun_of(case.operation.path))
    case.query = with_known_values(case.query)
    case.body = with_known_values(near_valid(case))
    if takes_user(case) and rng.random() > AS_GENERATED:
        case.headers["X-User-Token"] = WORLD["userToken"]


@schemathesis.hook
def after_call(context, case, response):
    try:
        harvest(json.loads(response.content), "")
    except ValueError:
        pass


def near_valid(case):
    """Usually returns a valid body with a few fields of the generated body, if that conforms to the schema."""
    body, valid = case.body, WORLD["bodies"].get(operation_of(case))
    positive = case.meta is None or case.meta.generation.mode == GenerationMode.POSITIVE
    if valid is None or not positive or not isinstance(body, dict) or rng.random() < AS_GENERATED:
        return body
    credentials = {name: body[name] for name in CREDENTIAL_FIELDS if name in body}
    changed = rng.sample(sorted(body), min(len(body), rng.choice((0, 0, 1, 1, 2))))
    return {**valid, **credentials, **{name: body[name] for name in changed}}


def operation_of(case):
    """The operation id without the number that marks an alias of the path."""
    return case.operation.definition.raw["operationId"].rstrip("0123456789")


def takes_user(case):
    return any("userToken" in scheme for scheme in case.operation.definition.raw.get("security", []))


def noun_of(path):
    """`walletId` for the `id` in `/wallets/{id}`."""
    segments = path.split("/")
    names = [previous for previous, segment in zip(segments, segments[1:]) if segment == "{id}"]
    return singular(names[0]) + "Id" if names else "id"


def singular(noun):
    return noun[:-1] if noun.endswith("s") else noun


def with_known_values(value, noun="id", field=""):
    """Replaces generated values by known ones."""
    if hasattr(value, "items"):
        return type(value)({name: with_known_values(item, noun, noun if name == "id" else name) for name, item in value.items()})
    if isinstance(value, list):
        return [with_known_values(item, noun, singular(field)) for item in value]
    if not isinstance(value, str) or value == "" or rng.random() < AS_GENERATED:
        return value
    if field in ("entitySecretCiphertext", "entitySecretCipherText"):
        return base64.b64encode(KEY.encrypt(bytes.fromhex(WORLD["entitySecret"]), PADDING)).decode()
    if field in ("idempotencyKey", "refId"):
        return value
    if UUID.fullmatch(value):
        return rng.choice(values.get(field) or [value])
    lower = field.lower()
    if lower.endswith("address") or field in ("destination", "origin"):
        return rng.choice(values["address"])
    if field in ("userId", "endpoint", "tokenId", "contractAddress", "transactionHash", "message", "transaction"):
        return rng.choice(values.get(field) or [value])
    return value


def harvest(response, noun):
    """Collects the ids in a response, by the field names that requests use for them."""
    if isinstance(response, list):
        for item in response:
            harvest(item, singular(noun))
    elif isinstance(response, dict):
        for field, value in response.items():
            if isinstance(value, str) and UUID.fullmatch(value):
                add_value(f"{noun}Id" if field == "id" and noun not in ("", "data") else field, value)
            elif isinstance(value, (dict, list)):
                harvest(value, field)


def add_value(field, value):
    field_values = values.setdefault(field, [])
    if value in field_values:
        return
    field_values.append(value)
    if len(field_values) > MAX_VALUES:
        field_values.pop(0)
