import setuptools

# What cffi compiles keeps to the interface that all versions of Python from this one on have.
setuptools.setup(cffi_modules=["perennial_binding.py:ffibuilder"], options={"bdist_wheel": {"py_limited_api": "cp39"}})
