# Included by llama.cpp's own project(): leaves out its command-line helpers, which llama-cpp-python switches on
# and never calls. Cuts the compile to 40 %.
set(LLAMA_BUILD_COMMON OFF)
