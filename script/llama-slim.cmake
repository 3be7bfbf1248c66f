# Included by llama.cpp's own project(): leaves out its command-line helpers, which llama-cpp-python switches on
# and never calls. Cuts the compile to 40 %.
set(LLAMA_BUILD_COMMON OFF)

# Its matrix code for AMX loads a tile configuration of which half was never written: on processors with AMX the
# model's process dies of SIGSEGV at the first Q4_0 matrix (seen with llama.cpp of llama-cpp-python 0.3.36 and gcc 12).
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_compile_options(-mno-amx-tile -mno-amx-int8 -mno-amx-bf16)
endif()
